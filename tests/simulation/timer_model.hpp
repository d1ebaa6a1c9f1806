// What must be true of timers, told again in the plainest way.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/v1/timer.pb.h"
#include "tests/simulation/trace.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace gnomon::simulation {

/// Limits that the model shares with the partition.
struct model_limits {
  duration catch_up_grace{60'000};
  std::uint32_t catch_up_max = 5;
};

/// A waiting timer.
struct modelled_timer {
  timestamp due;
  std::uint64_t occurrence = 1;
  std::uint32_t caught_up = 0;

  /// Distance of occurrences; 0: one-shot.
  std::int64_t period_ms = 0;

  /// Number of the last occurrence; 0: without end.
  std::uint64_t last_occurrence = 0;

  v1::CatchUp catch_up = v1::CATCH_UP_EVERY;
  std::string target;
  std::string name;
};

/// Takes the events of timers in the order of the log. Knows recurrences of the
/// forms `R/PT90S` and `R3/PT90S`.
class timer_model {
public:
  timer_model(trace& to, model_limits limits) : trace_(&to), limits_(limits) {
    // nop
  }

  void apply(const record& event);

  const std::map<std::uint64_t, modelled_timer>& waiting() const {
    return waiting_;
  }

  /// How often each occurrence of a timer has triggered with a target, and so
  /// made a job.
  bool has_triggered(std::uint64_t timer, std::uint64_t occurrence) const;

  /// Events that explain why a proposed trigger found nothing to trigger.
  std::uint64_t moved_or_gone() const {
    return moved_or_gone_;
  }

private:
  using timers = std::map<std::uint64_t, modelled_timer>;

  void created(const record& event);

  void canceled(const record& event);

  void rescheduled(const record& event);

  void triggered(const record& event);

  void skipped(const record& event);

  timers::iterator require(const record& event);

  /// Moves to the next occurrence, or ends the timer.
  void move_on(timers::iterator at, std::uint64_t next, std::int64_t due_ms,
               const record& event);

  bool is_missed(const modelled_timer& timer, std::uint64_t occurrence,
                 timestamp now) const;

  void breach(const record& event, const std::string& what);

  trace* trace_;
  model_limits limits_;
  timers waiting_;

  /// (timer, occurrence) of all that has triggered or was skipped.
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> done_;
  std::map<std::uint64_t, bool> known_;
  std::uint64_t moved_or_gone_ = 0;
};

} // namespace gnomon::simulation
