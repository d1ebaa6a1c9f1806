#include "timers/due_date_checker.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::timers {

due_check check_due_dates(const state_reader& state, timestamp now,
                          const due_limits& limits,
                          const skip_due_entry& skip) {
  GNOMON_CHECK(limits.count_max > 0);
  due_check result;
  // An entry that is still far may be due before near ones of its day.
  const auto far_day = due_index::first_far_day(state);
  const auto until = far_day ? std::min(now, *far_day + duration{-1}) : now;
  due_index::visit_near(state, {timestamp::min()}, [&](const due_entry& entry) {
    if (skip && skip(entry))
      return true;
    if (entry.due <= until && result.due.size() < limits.count_max) {
      result.due.push_back(entry);
      return true;
    }
    result.more = entry.due <= until;
    result.look_again = std::max(entry.due, now);
    return false;
  });
  if (const auto promotion = due_index::next_promotion(state))
    result.look_again = std::min(result.look_again.value_or(timestamp::max()),
                                 std::max(*promotion, now));
  return result;
}

timestamp arm_at(timestamp due, timestamp last_check, duration resolution) {
  GNOMON_CHECK(resolution >= duration::zero());
  return std::max(due, last_check + resolution);
}

} // namespace gnomon::timers
