#include "timers/due_date_checker.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::timers {

due_check check_due_dates(const state_reader& state, timestamp now,
                          const due_limits& limits,
                          const skip_due_entry& skip) {
  GNOMON_CHECK(limits.count_max > 0);
  due_check result;
  due_entry from;
  from.due = timestamp::min();
  due_index::visit(state, from, [&](const due_entry& entry) {
    if (skip && skip(entry))
      return true;
    if (entry.due <= now && result.due.size() < limits.count_max) {
      result.due.push_back(entry);
      return true;
    }
    result.more = entry.due <= now;
    result.look_again = std::max(entry.due, now);
    return false;
  });
  return result;
}

timestamp arm_at(timestamp due, timestamp last_check, duration resolution) {
  GNOMON_CHECK(resolution >= duration::zero());
  return std::max(due, last_check + resolution);
}

} // namespace gnomon::timers
