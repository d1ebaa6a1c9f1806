// What is behind a timing wheel.

#pragma once

#include "gnomon/timing_wheel.hpp"
#include "timers/timing_wheel_slots.hpp"

#include <cstdint>
#include <optional>

namespace gnomon::detail {

/// Levels of 256 slots. The level of a timer is that of the highest digit (to
/// base 256) in which its due date differs from the current tick, its slot the
/// value of that digit. Hence slots never wrap around, all timers of a level
/// are earlier than those of the next, and the first occupied slot of the
/// first occupied level is the next one in time.
class wheel_core {
public:
  using callback_function = void (*)(void*, const expired_timer&);

  explicit wheel_core(timing_wheel_options options);

  wheel_core(const wheel_core&) = delete;

  wheel_core& operator=(const wheel_core&) = delete;

  ~wheel_core();

  timer_handle schedule(std::uint64_t due, std::uint64_t payload);

  bool cancel(timer_handle handle);

  advance_outcome advance(std::uint64_t now, std::uint64_t budget,
                          callback_function call, void* self);

  void reserve(std::size_t count) {
    slots_.reserve(count);
  }

  std::uint64_t now() const {
    return now_;
  }

  std::optional<std::uint64_t> next() const;

  bool contains(timer_handle handle) const;

  std::size_t size() const {
    return size_;
  }

  std::size_t memory_bytes() const {
    return slots_.memory_bytes();
  }

private:
  /// One call of `advance`. Lives on the stack and learns from the core when
  /// a callback has destroyed it.
  struct turn {
    wheel_core* core;
    callback_function call;
    void* self;
    std::uint64_t budget;
    std::uint64_t expired_count = 0;

    turn(wheel_core* owner, callback_function callee, void* context,
         std::uint64_t limit);

    turn(const turn&) = delete;

    turn& operator=(const turn&) = delete;

    ~turn();
  };

  /// What to do next: a slot, and how far in time that may lead.
  struct step {
    std::uint32_t slot = no_index;
    std::uint64_t limit = 0;
  };

  std::uint64_t to_tick(std::uint64_t due) const;

  std::uint64_t to_time(std::uint64_t tick) const;

  std::uint32_t slot_of(std::uint64_t due) const;

  std::uint64_t begin_of(std::uint32_t slot) const;

  step choose_step(std::uint64_t target) const;

  /// Earliest timer of those overdue that this call may expire.
  std::optional<std::uint64_t> first_overdue() const;

  void move_to(const step& next);

  void cascade(std::uint32_t slot, turn& now);

  void expire(const step& what, turn& now);

  bool expire_chunk(std::uint32_t index, const step& what, turn& now);

  void expire_timer(std::uint32_t timer, turn& now);

  wheel_slots slots_;
  std::uint64_t resolution_;

  /// Time of the last `advance`, in the caller's unit.
  std::uint64_t now_;

  /// Up to here everything has expired; all slots are relative to it.
  std::uint64_t tick_;

  /// The tick of `now_`; ahead of `tick_` while there is work left.
  std::uint64_t target_;

  std::size_t size_ = 0;

  /// Slot whose timers are being moved to finer levels, if any. It comes
  /// before everything else: only then are the finer levels complete.
  std::uint32_t cascading_ = no_index;

  /// Counts calls of `advance`, to tell timers scheduled in this one.
  std::uint32_t round_ = 0;

  turn* turn_ = nullptr;
};

} // namespace gnomon::detail
