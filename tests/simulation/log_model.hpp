// What must be true of the log: each frame is looked at as it is written.

#pragma once

#include "gnomon/record.hpp"
#include "tests/simulation/job_model.hpp"
#include "tests/simulation/simulated_disk.hpp"
#include "tests/simulation/timer_model.hpp"
#include "tests/simulation/trace.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gnomon::simulation {

/// Remembers all frames that may be in the log, and checks records against
/// what they follow. After a crash, the first frame of the next epoch tells
/// which of them were found.
class log_model final : public disk_observer {
public:
  struct frame {
    storage::frame_header header;
    bytes body;
  };

  log_model(trace& to, model_limits limits);

  // -- what happens -----------------------------------------------------------

  void writes(const storage::frame_header& header, bytes_view body) override;

  void takes_back() override;

  void synced(position last) override;

  /// A process begins; it may have to do without what was not durable.
  void begin_process() {
    is_opening_ = true;
  }

  /// The wall clock shows `now`.
  void saw(timestamp now) {
    latest_wall_ = std::max(latest_wall_, now);
  }

  // -- queries ----------------------------------------------------------------

  position last() const {
    return {records_.size()};
  }

  /// What must survive anything.
  position durable() const {
    return durable_;
  }

  const std::vector<frame>& frames() const {
    return frames_;
  }

  /// Returns the record at `at`, or null.
  const record* find(position at) const {
    return at.value == 0 || at.value > records_.size()
             ? nullptr
             : &records_[at.value - 1];
  }

  const timer_model& timers() const {
    return state_->timers;
  }

  const job_model& jobs() const {
    return state_->jobs;
  }

  timestamp last_timestamp() const {
    return records_.empty() ? timestamp::min() : records_.back().timestamp;
  }

  /// Position of the outcome remembered under an idempotency key; none if it
  /// has expired.
  position answer_of(const std::string& idempotency_key) const;

  /// Says whether an answer under that key was ever forgotten.
  bool has_expired(const std::string& idempotency_key) const;

  /// Renders the last `count` records.
  std::string describe_last(std::size_t count) const;

  /// Returns what is wrong with the log as a whole, once nothing waits.
  std::string fault_of_quiet() const;

private:
  struct models {
    models(trace& to, model_limits limits)
      : timers(to, limits), jobs(to, timers) {
      // nop
    }

    timer_model timers;
    job_model jobs;

    /// Commands that have no outcome yet.
    std::set<std::uint64_t> undecided;

    /// Idempotency key -> position of the first outcome.
    std::map<std::string, position> answers;
    std::set<std::string> expired;
    std::uint64_t triggers_refused = 0;
  };

  /// Drops all frames from `first` on.
  void cut(position first);

  void check_frame(const storage::frame_header& header);

  void add_records(const frame& from);

  void check_record(const record& met);

  void apply(const record& met);

  void apply_outcome(const record& met);

  /// Forgets the answer to the command at `source`.
  void expire(std::uint64_t source);

  void breach(position at, const std::string& what);

  trace* trace_;
  model_limits limits_;
  std::unique_ptr<models> state_;
  std::vector<frame> frames_;
  std::vector<record> records_;
  position durable_;
  bool is_opening_ = true;
  timestamp latest_wall_ = timestamp::min();
};

} // namespace gnomon::simulation
