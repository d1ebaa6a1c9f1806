// Timers in memory by the million: gone after a crash, cheap by design.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace gnomon {

namespace detail {

class wheel_core;

} // namespace detail

/// Names one scheduled timer of one wheel. `timer_handle{}` names none. A
/// handle goes stale when its timer expires or is canceled and never names
/// another timer afterwards.
struct timer_handle {
  std::uint32_t generation = 0;
  std::uint32_t index = 0;

  friend bool operator==(timer_handle, timer_handle) = default;

  explicit operator bool() const {
    return generation != 0;
  }
};

/// What a callback gets to know about the timer that expired.
struct expired_timer {
  /// Stale already; a callback may compare it, not cancel it.
  timer_handle handle;

  /// As given to `schedule`, rounded up to the resolution; or when it was
  /// scheduled, if it was due already.
  std::uint64_t due = 0;

  std::uint64_t payload = 0;
};

/// What one `advance` did.
struct advance_outcome {
  /// How many timers expired.
  std::uint64_t expired_count = 0;

  /// Whether the budget was spent first: call again, soon, with the same time
  /// or a later one.
  bool more = false;
};

/// Settings of a timing wheel.
struct timing_wheel_options {
  /// Current time at construction, in the caller's unit.
  std::uint64_t start = 0;

  /// Length of a tick in the caller's unit, at least 1. Due dates are rounded
  /// up to it: a timer is never early and at most one tick late.
  std::uint64_t resolution = 1;
};

/// Hierarchical timing wheel for transient timers, each with 64 bits of
/// payload. Time is any 64-bit count the caller likes, often milliseconds of a
/// monotonic clock; the wheel reads no clock and starts no thread.
///
/// Timers expire in the order of their ticks (those due already count as due
/// when they were scheduled). Those of one tick expire in the order they were
/// scheduled, except that one scheduled between two parts of an `advance` that
/// ran out of budget may overtake.
///
/// Costs: `schedule` and `cancel` take constant time, `next` looks at one bit
/// map; a timer is moved at most once per level, usually once or twice in all.
/// About 37 bytes per timer, at most 96 after adverse cancels. Memory comes in
/// blocks of 2 MiB, is reused, and returns to the system with the wheel; in
/// steady state nothing is allocated. The first use of a block may take some
/// 100 us: see `reserve`.
///
/// Threads: none of its own. One owner makes all calls.
class timing_wheel {
public:
  /// The latest due date; `advance` to anything sooner does not reach it.
  static constexpr std::uint64_t never
    = std::numeric_limits<std::uint64_t>::max();

  explicit timing_wheel(timing_wheel_options options = {});

  timing_wheel(timing_wheel&& other) noexcept;

  timing_wheel& operator=(timing_wheel&& other) noexcept;

  /// Forgets all timers without calling anybody. May happen in a callback.
  ~timing_wheel();

  /// Schedules a timer that expires in the first `advance` to `due` or later.
  /// One that is due already expires in the next `advance`: never in here, and
  /// never in the `advance` whose callback schedules it.
  /// @pre Less than 2^32 - 1 timers are scheduled.
  timer_handle schedule(std::uint64_t due, std::uint64_t payload);

  /// Schedules a timer at `now() + delay`, or `never` if that is too late to
  /// express.
  timer_handle schedule_after(std::uint64_t delay, std::uint64_t payload);

  /// Removes a timer; its memory is free at once.
  /// @returns False if `handle` is stale: expired, canceled before, or none.
  bool cancel(timer_handle handle);

  /// Lets timers due at or before `now` expire: calls
  /// `callback(const expired_timer&)` for each of them, or fewer when `budget`
  /// is spent. Callbacks may schedule, cancel (also timers about to expire in
  /// this very call) and destroy the wheel; an `advance` in a callback does
  /// nothing. What a callback throws passes through; the rest stays due.
  /// @param now     A time before the last one counts as the last one.
  /// @param budget  How many timers to touch at most, by expiring them or by
  ///                moving them to a finer level; a move may exceed it by 12.
  ///                0 counts as 1.
  template <class Callback>
  advance_outcome advance(std::uint64_t now, std::uint64_t budget,
                          Callback&& callback) {
    auto wrapped = [&](const expired_timer& timer) {
      callback(timer);
    };
    auto call = [](void* self, const expired_timer& timer) {
      (*static_cast<decltype(wrapped)*>(self))(timer);
    };
    return advance_with(now, budget, call, &wrapped);
  }

  /// Makes room for `count` timers in all and touches that memory, so that no
  /// later `schedule` has to wait for the system.
  void reserve(std::size_t count);

  /// Returns the time of the last `advance`.
  std::uint64_t now() const;

  /// Returns the due date of the earliest timer, `now()` if some are due, or
  /// nothing. Exact, unless the earliest was canceled: then it may be sooner
  /// than needed, once.
  std::optional<std::uint64_t> next() const;

  /// Returns whether `handle` names a timer that is still scheduled.
  bool contains(timer_handle handle) const;

  /// Returns how many timers are scheduled.
  std::size_t size() const;

  bool empty() const {
    return size() == 0;
  }

  /// Returns how much memory the wheel holds, used or not.
  std::size_t memory_bytes() const;

private:
  using callback_function = void (*)(void*, const expired_timer&);

  advance_outcome advance_with(std::uint64_t now, std::uint64_t budget,
                               callback_function call, void* self);

  std::unique_ptr<detail::wheel_core> core_;
};

} // namespace gnomon
