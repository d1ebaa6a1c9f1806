#include "timers/next_due_reference.hpp"

namespace gnomon::timers {

bool next_due_reference::offer(timestamp due) {
  // Adds nothing, but takes its place among the modifications of the word:
  // before `take`, which then sees our commit, or behind it. A load would not.
  auto held = held_.fetch_add(0, std::memory_order_seq_cst);
  while (is_sooner(due.value, held))
    if (held_.compare_exchange_weak(held, due.value, std::memory_order_seq_cst))
      return true;
  return false;
}

std::optional<timestamp> next_due_reference::take() {
  const auto held = held_.exchange(none, std::memory_order_seq_cst);
  if (held == none)
    return std::nullopt;
  return timestamp{held};
}

std::optional<timestamp> next_due_reference::peek() const {
  const auto held = held_.load(std::memory_order_seq_cst);
  if (held == none)
    return std::nullopt;
  return timestamp{held};
}

void next_due_reference::withdraw() {
  take();
}

bool next_due_reference::is_sooner(std::int64_t due, std::int64_t held) const {
  if (due >= held)
    return false;
  return held == none || saturating_sub(held, due) >= resolution_.count();
}

} // namespace gnomon::timers
