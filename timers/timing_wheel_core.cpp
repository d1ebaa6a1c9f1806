#include "timers/timing_wheel_core.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <bit>

namespace gnomon::detail {

wheel_core::turn::turn(wheel_core* owner, callback_function callee,
                       void* context, std::uint64_t limit)
  : core(owner), call(callee), self(context),
    budget(std::max<std::uint64_t>(limit, 1)) {
  core->turn_ = this;
}

wheel_core::turn::~turn() {
  if (!core)
    return;
  core->slots_.unpin();
  core->turn_ = nullptr;
}

wheel_core::wheel_core(timing_wheel_options options)
  : resolution_(options.resolution), now_(options.start) {
  GNOMON_CHECK(resolution_ >= 1);
  tick_ = target_ = now_ / resolution_;
}

wheel_core::~wheel_core() {
  if (turn_)
    turn_->core = nullptr;
}

timer_handle wheel_core::schedule(std::uint64_t due, std::uint64_t payload) {
  const auto timer = slots_.acquire();
  auto& node = slots_.node(timer);
  const auto tick = to_tick(due);
  node.payload = payload;
  node.due = std::max(tick, target_);
  node.round = round_;
  slots_.file(tick > target_ ? slot_of(tick) : wheel_slots::overdue, timer);
  ++size_;
  return {node.generation, timer};
}

bool wheel_core::cancel(timer_handle handle) {
  if (!contains(handle))
    return false;
  slots_.take_out(handle.index);
  slots_.release(handle.index);
  --size_;
  return true;
}

advance_outcome wheel_core::advance(std::uint64_t now, std::uint64_t budget,
                                    callback_function call, void* self) {
  if (turn_)
    return {};
  turn current{this, call, self, budget};
  now_ = std::max(now_, now);
  target_ = now_ / resolution_;
  ++round_;
  for (;;) {
    const auto next = choose_step(target_);
    if (next.slot == no_index)
      break;
    if (current.budget == 0)
      return {current.expired_count, true};
    move_to(next);
    if (cascading_ != no_index)
      cascade(cascading_, current);
    else
      expire(next, current);
    if (!current.core)
      return {current.expired_count, false};
  }
  tick_ = target_;
  return {current.expired_count, false};
}

std::optional<std::uint64_t> wheel_core::next() const {
  if (size_ == 0)
    return std::nullopt;
  if (!slots_.is_empty(wheel_slots::overdue))
    return now_;
  auto earliest = slots_.at(slots_.first()).earliest;
  // Timers it had may be in finer slots by now, later than those it still has.
  if (cascading_ != no_index)
    earliest = std::min(earliest, slots_.at(cascading_).earliest);
  return std::max(to_time(earliest), now_);
}

bool wheel_core::contains(timer_handle handle) const {
  return handle && handle.index < slots_.node_count()
         && slots_.node(handle.index).generation == handle.generation;
}

std::uint64_t wheel_core::to_tick(std::uint64_t due) const {
  // Rounded up: no timer is early.
  if (resolution_ == 1)
    return due;
  return due / resolution_ + (due % resolution_ != 0 ? 1 : 0);
}

std::uint64_t wheel_core::to_time(std::uint64_t tick) const {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(tick, resolution_, &result))
    return timing_wheel::never;
  return result;
}

std::uint32_t wheel_core::slot_of(std::uint64_t due) const {
  GNOMON_CHECK(due >= tick_);
  const auto highest = 63 - std::countl_zero((due ^ tick_) | 1);
  const auto level = static_cast<unsigned>(highest) / wheel_slots::level_bits;
  const auto digit = due >> (level * wheel_slots::level_bits);
  return level * wheel_slots::per_level
         + static_cast<std::uint32_t>(digit % wheel_slots::per_level);
}

std::uint64_t wheel_core::begin_of(std::uint32_t slot) const {
  const auto shift = slot / wheel_slots::per_level * wheel_slots::level_bits;
  const std::uint64_t digit = slot % wheel_slots::per_level;
  const auto above = shift + wheel_slots::level_bits;
  const auto upper = above >= 64 ? 0 : tick_ >> above << above;
  return upper | digit << shift;
}

wheel_core::step wheel_core::choose_step(std::uint64_t target) const {
  if (cascading_ != no_index)
    return {cascading_, tick_};
  const auto overdue = first_overdue();
  const auto limit = overdue.value_or(target);
  const auto first = slots_.first();
  if (first != no_index && begin_of(first) <= limit)
    return {first, limit};
  return {overdue ? wheel_slots::overdue : no_index, limit};
}

std::optional<std::uint64_t> wheel_core::first_overdue() const {
  if (slots_.is_empty(wheel_slots::overdue))
    return std::nullopt;
  const auto head = slots_.at(wheel_slots::overdue).head;
  const auto live = slots_.live(head);
  if (live == 0)
    return std::nullopt;
  const auto first = slots_.chunk(head).timers[std::countr_zero(live)];
  const auto& node = slots_.node(first);
  if (node.round == round_)
    return std::nullopt;
  return node.due;
}

void wheel_core::move_to(const step& next) {
  if (next.slot == wheel_slots::overdue || cascading_ != no_index)
    return;
  // Straight to the earliest timer rather than to the beginning of its slot,
  // since that saves moving it through the levels between.
  const auto earliest = slots_.at(next.slot).earliest;
  const auto tick
    = std::min(next.limit, std::max(begin_of(next.slot), earliest));
  GNOMON_CHECK(tick >= tick_);
  tick_ = tick;
  if (next.slot >= wheel_slots::per_level)
    cascading_ = next.slot;
}

void wheel_core::cascade(std::uint32_t slot, turn& now) {
  slots_.prefetch(slots_.at(slot).head);
  while (!slots_.is_empty(slot)) {
    if (now.budget == 0)
      return;
    const auto head = slots_.at(slot).head;
    const auto chunk = slots_.chunk(head);
    const auto all = slots_.live(head);
    slots_.prefetch(chunk.next);
    // Dropped first, so that the finer slots may take it.
    slots_.drop_chunk(head);
    for (auto live = all; live != 0; live &= live - 1) {
      const auto timer = chunk.timers[std::countr_zero(live)];
      slots_.file(slot_of(slots_.node(timer).due), timer);
    }
    const auto moved = static_cast<std::uint64_t>(std::popcount(all));
    now.budget -= std::min(now.budget, moved);
  }
  cascading_ = no_index;
}

void wheel_core::expire(const step& what, turn& now) {
  slots_.prefetch(slots_.at(what.slot).head);
  while (!slots_.is_empty(what.slot))
    if (!expire_chunk(slots_.at(what.slot).head, what, now))
      return;
}

bool wheel_core::expire_chunk(std::uint32_t index, const step& what,
                              turn& now) {
  const auto& chunk = slots_.chunk(index);
  slots_.prefetch(chunk.next);
  slots_.pin(index);
  // Read anew each time: a callback may cancel timers of this very chunk.
  while (const auto live = slots_.live(index)) {
    const auto place = static_cast<unsigned>(std::countr_zero(live));
    const auto timer = chunk.timers[place];
    const auto& node = slots_.node(timer);
    const auto is_new
      = what.slot == wheel_slots::overdue && node.round == round_;
    if (now.budget == 0 || is_new || node.due > what.limit) {
      slots_.unpin();
      return false;
    }
    slots_.clear(index, place);
    expire_timer(timer, now);
    if (!now.core)
      return false;
  }
  slots_.unpin();
  return true;
}

void wheel_core::expire_timer(std::uint32_t timer, turn& now) {
  const auto& node = slots_.node(timer);
  const expired_timer expired{
    {node.generation, timer}, to_time(node.due), node.payload};
  // Free before the callback, which may schedule, cancel or destroy.
  slots_.release(timer);
  --size_;
  --now.budget;
  ++now.expired_count;
  now.call(now.self, expired);
}

} // namespace gnomon::detail
