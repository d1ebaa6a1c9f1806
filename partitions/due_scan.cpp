#include "partitions/due_scan.hpp"

#include "gnomon/v1/partition.pb.h"
#include "timers/due_date_checker.hpp"

#include <algorithm>

namespace gnomon::partitions {

namespace {

/// Returns the command that makes far entries near.
record promotion() {
  record result;
  result.record_type = record_type::command;
  result.value_type = value_type::partition;
  result.intent = {v1::PARTITION_INTENT_PROMOTE_DUE_DATES};
  return result;
}

record command_for(const due_entry& entry) {
  record result;
  result.record_type = record_type::command;
  result.value_type = entry.value_type;
  result.intent = entry.intent;
  result.key = entry.key;
  return result;
}

} // namespace

due_scan::due_scan(duration resolution)
  : resolution_(resolution), put_off_({.shortest = resolution}) {
  // nop
}

void due_scan::reset() {
  active_ = false;
  proposed_.clear();
  put_off_ = timers::put_off_entries{{.shortest = resolution_}};
}

std::vector<record> due_scan::propose(const state_reader& state, timestamp now,
                                      std::size_t count_max) {
  last_check_ = now;
  auto found = timers::check_due_dates(
    state, now, {.count_max = count_max},
    [&](const due_entry& entry) { return put_off_.is_put_off(entry, now); });
  settle(found.due, now);
  std::erase_if(found.due, [&](const due_entry& entry) {
    return put_off_.is_put_off(entry, now);
  });
  proposed_ = std::move(found.due);
  std::vector<record> result;
  result.reserve(proposed_.size() + 1);
  for (const auto& entry : proposed_)
    result.push_back(command_for(entry));
  if (due_index::promotable(state, now, 1) > 0)
    result.push_back(promotion());
  active_ = !result.empty();
  return result;
}

void due_scan::settle(const std::vector<due_entry>& still_due, timestamp now) {
  if (proposed_.empty())
    return;
  for (const auto& entry : still_due)
    if (std::ranges::binary_search(proposed_, entry))
      put_off_.put_off(entry, now);
}

std::optional<timestamp> due_scan::next(const state_reader& state,
                                        timestamp now) const {
  const auto found = timers::check_due_dates(
    state, now, {.count_max = 1},
    [&](const due_entry& entry) { return put_off_.is_put_off(entry, now); });
  auto next = found.due.empty() ? found.look_again
                                : std::optional{found.due.front().due};
  if (const auto retry = put_off_.next_attempt(now))
    next = next ? std::min(*next, *retry) : retry;
  if (!next)
    return std::nullopt;
  return timers::arm_at(*next, last_check_, resolution_);
}

} // namespace gnomon::partitions
