// Very many short timeouts for the actors of one process: a `delayed_send` that
// costs the same on all versions of CAF, and that can be canceled.

#pragma once

#include "gnomon/actors/caf_compat.hpp"
#include "gnomon/timing_wheel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace gnomon {

/// Settings of `transient_timers`.
struct transient_timers_options {
  /// Delays are rounded up to it; at least 1 ns.
  caf::timespan resolution = std::chrono::milliseconds{1};

  /// Timers touched before the actor lets others run, and before threads that
  /// schedule get the lock; at least 1.
  std::uint32_t timers_per_turn_max = 1'000;
};

/// Sends messages after a delay: a timing wheel, and an actor that has at most
/// one timeout of CAF's clock armed for all of them.
///
/// What is promised: a message is never sent early, and late by the resolution
/// and the load at most. What was canceled or moved in time is not sent. What
/// waits is lost when the process ends: for what must survive, see
/// `send_later`.
///
/// Time is that of the clock of the actor system: monotonic, and deterministic
/// where the system's scheduler is.
///
/// Receivers are held weakly, unlike those of `delayed_send`: a timer does not
/// keep its receiver alive, and is dropped if that is gone. CAF returns the
/// memory of an actor that has ended only when the last timer to it has gone.
///
/// Threads: all members may be called from any thread, actors included. They
/// hold a mutex for less than a microsecond as a rule; while timers expire,
/// for a turn of `timers_per_turn_max` of them.
class transient_timers {
public:
  /// Spawns the actor, hidden. Needs no module.
  /// @param system  Must outlive this object.
  explicit transient_timers(caf::actor_system& system,
                            transient_timers_options options = {});

  transient_timers(const transient_timers&) = delete;
  transient_timers& operator=(const transient_timers&) = delete;

  /// Forgets all timers.
  ~transient_timers();

  /// Sends `content...` to `receiver` after `delay`, from nobody. A delay that
  /// is not positive counts as the shortest; one beyond the end of time never
  /// ends.
  /// @param receiver  A handle to an actor of any type.
  template <class Handle, class... Ts>
  timer_handle schedule(caf::timespan delay, const Handle& receiver,
                        Ts&&... content) {
    return schedule_message(delay,
                            caf::actor_cast<caf::weak_actor_ptr>(receiver),
                            caf::make_message(std::forward<Ts>(content)...));
  }

  /// As `schedule`, for a message that is there already.
  timer_handle schedule_message(caf::timespan delay,
                                caf::weak_actor_ptr receiver,
                                caf::message content);

  /// Removes a timer. Once this has returned true, its message is not sent.
  /// @returns False if it was sent, canceled or moved before.
  bool cancel(timer_handle which);

  /// Lets a timer wait for `delay` from now instead. Its handle goes stale.
  /// @returns The new handle, or none if it was sent, canceled or moved before.
  timer_handle move(timer_handle which, caf::timespan delay);

  /// Makes room for `count` timers in all, so that no later `schedule` has to
  /// wait for the system.
  void reserve(std::size_t count);

  /// Returns how many timers wait.
  std::size_t size() const;

  /// Returns how much memory the timers hold, their messages not counted.
  std::size_t memory_bytes() const;

private:
  class core;

  class sleeper;

  void wake();

  std::shared_ptr<core> core_;
  caf::actor sleeper_;
};

} // namespace gnomon
