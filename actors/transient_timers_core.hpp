// The timers behind `transient_timers`, shared by threads and one actor.

#pragma once

#include "gnomon/transient_timers.hpp"

#include <mutex>
#include <optional>
#include <vector>

namespace gnomon {

/// A wheel with its receivers and messages, behind a mutex. Times are
/// nanoseconds of the clock of the actor system.
///
/// The actor sleeps until `alarm_` at the latest; whoever schedules something
/// sooner wakes it. Neither messages nor handles are destroyed under the lock:
/// that may run code of the application.
class transient_timers::core {
public:
  /// What waits for one timer.
  struct waiting {
    caf::weak_actor_ptr receiver;
    caf::message content;
  };

  /// What a call found out.
  struct scheduled {
    timer_handle handle;

    /// The actor must look again.
    bool wake = false;
  };

  /// What is to be done after one turn.
  struct turn {
    std::vector<waiting> expired;

    /// More are due already.
    bool more = false;

    /// Sleep so long; unless nothing waits, or an alarm that is armed already
    /// is soon enough.
    std::optional<caf::timespan> sleep;
  };

  core(std::uint64_t now, const transient_timers_options& options);

  scheduled schedule(std::uint64_t due, waiting what);

  bool cancel(timer_handle which);

  scheduled move(timer_handle which, std::uint64_t due);

  /// Takes what is due out of the wheel. `alarm_over` says that the newest
  /// alarm has gone off.
  turn advance(std::uint64_t now, bool alarm_over);

  void reserve(std::size_t count);

  std::size_t size() const;

  std::size_t memory_bytes() const;

  /// Forgets everything; later timers never expire.
  void close();

private:
  timer_handle put(std::uint64_t due, waiting what);

  bool must_wake(std::uint64_t due);

  std::optional<caf::timespan> next_sleep(std::uint64_t now);

  const std::uint64_t resolution_;
  const std::uint32_t timers_per_turn_max_;
  mutable std::mutex mutex_;
  timing_wheel wheel_;

  /// By the index of the handle, which is that of the wheel's own slot.
  std::vector<waiting> waiting_;

  /// When the newest alarm goes off; `timing_wheel::never` if none is armed.
  std::uint64_t alarm_ = timing_wheel::never;
  bool wake_is_under_way_ = false;
  bool is_closed_ = false;
};

} // namespace gnomon
