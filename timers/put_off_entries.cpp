#include "timers/put_off_entries.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::timers {

put_off_entries::put_off_entries(put_off_limits limits) : limits_(limits) {
  GNOMON_CHECK(limits_.shortest > duration::zero());
  GNOMON_CHECK(limits_.longest >= limits_.shortest);
  GNOMON_CHECK(limits_.entries_max > 0);
}

void put_off_entries::put_off(const due_entry& entry, timestamp now) {
  auto length = limits_.shortest;
  if (auto i = entries_.find(entry); i != entries_.end()) {
    // Half of the longest, so that doubling cannot overflow.
    length = i->second.length > limits_.longest / 2 ? limits_.longest
                                                    : i->second.length * 2;
    by_attempt_.erase({i->second.until, entry});
  } else {
    if (entries_.size() == limits_.entries_max)
      drop_abandoned(now);
    if (entries_.size() == limits_.entries_max) {
      others_until_ = std::max(others_until_, now + limits_.shortest);
      return;
    }
  }
  const auto until = now + length;
  entries_.insert_or_assign(entry, back_off{until, length});
  by_attempt_.emplace(until, entry);
  GNOMON_CHECK(by_attempt_.size() == entries_.size());
}

void put_off_entries::forget(const due_entry& entry) {
  const auto i = entries_.find(entry);
  if (i == entries_.end())
    return;
  by_attempt_.erase({i->second.until, entry});
  entries_.erase(i);
}

bool put_off_entries::is_put_off(const due_entry& entry, timestamp now) const {
  const auto i = entries_.find(entry);
  return now < (i == entries_.end() ? others_until_ : i->second.until);
}

std::optional<timestamp> put_off_entries::next_attempt(timestamp now) const {
  std::optional<timestamp> result;
  const auto i
    = std::find_if(by_attempt_.begin(), by_attempt_.end(),
                   [&](const auto& attempt) { return attempt.first > now; });
  if (i != by_attempt_.end())
    result = i->first;
  if (others_until_ > now)
    result = std::min(result.value_or(others_until_), others_until_);
  return result;
}

void put_off_entries::drop_abandoned(timestamp now) {
  // An entry still in the index would have been tried and put off again.
  while (!by_attempt_.empty()
         && by_attempt_.begin()->first + limits_.longest < now) {
    entries_.erase(by_attempt_.begin()->second);
    by_attempt_.erase(by_attempt_.begin());
  }
}

} // namespace gnomon::timers
