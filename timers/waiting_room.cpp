#include "gnomon/due_index.hpp"
#include "gnomon/v1/timer.pb.h"
#include "timers/timer_queries.hpp"
#include "timers/timer_state.hpp"

#include <algorithm>

namespace gnomon::timers {

namespace {

constexpr duration minute{60'000};
constexpr duration hour = 60 * minute;
constexpr duration day = 24 * hour;

void count(horizons& in, timestamp due, timestamp now) {
  const auto left = due - now;
  if (due <= now)
    ++in.overdue;
  else if (left < minute)
    ++in.within_minute;
  else if (left < hour)
    ++in.within_hour;
  else if (left < day)
    ++in.within_day;
  else if (left < 30 * day)
    ++in.within_30_days;
  else
    ++in.later;
}

/// Returns the due date of the first timer at or behind `from`. Looks at no
/// more than `visits_max` entries of each level.
std::optional<timestamp> first_due(const state_reader& state, timestamp from,
                                   std::size_t visits_max) {
  std::optional<timestamp> result;
  auto left = visits_max;
  due_index::visit_near(state, due_entry{from}, [&](const due_entry& entry) {
    if (entry.value_type == value_type::timer)
      result = entry.due;
    return !result && --left > 0;
  });
  left = visits_max;
  due_index::visit_far(state, from, [&](const due_entry& entry) {
    // Those of a later day come later.
    if (result && entry.due >= *result + due_index::day)
      return false;
    if (entry.value_type == value_type::timer && entry.due >= from)
      result = std::min(result.value_or(entry.due), entry.due);
    return --left > 0;
  });
  return result;
}

void fill(const horizons& from, v1::WaitingRoomView::Horizons& to) {
  to.set_overdue(from.overdue);
  to.set_within_minute(from.within_minute);
  to.set_within_hour(from.within_hour);
  to.set_within_day(from.within_day);
  to.set_within_30_days(from.within_30_days);
  to.set_later(from.later);
}

} // namespace

waiting_room_view waiting_room(const state_reader& state, timestamp now,
                               std::size_t visits_max) {
  waiting_room_view room;
  room.now = now;
  room.timers = state.count(timer_family);
  v1::TimerCreated created;
  const auto see = [&](key, bytes_view body) {
    const auto timer = decode_timer(body);
    if (!timer
        || !created.ParseFromArray(timer->created.data(),
                                   static_cast<int>(timer->created.size())))
      return true;
    count(room.all, timer->pending.due, now);
    count(room.by_target[created.target()], timer->pending.due, now);
    return true;
  };
  const query_limits limits{visits_max, visits_max};
  room.cut = visit_page(state, timer_family, key{}, limits, see).has_value();
  room.oldest_overdue = first_due(state, timestamp::min(), visits_max);
  if (room.oldest_overdue > now)
    room.oldest_overdue.reset();
  if (now < timestamp::max())
    room.next_due = first_due(state, now + duration{1}, visits_max);
  return room;
}

v1::WaitingRoomView to_message(const waiting_room_view& room) {
  v1::WaitingRoomView result;
  result.set_now_ms(room.now.value);
  result.set_timers(room.timers);
  fill(room.all, *result.mutable_horizons());
  for (const auto& [target, counts] : room.by_target) {
    auto* entry = result.add_targets();
    entry->set_target(target);
    fill(counts, *entry->mutable_horizons());
  }
  if (room.oldest_overdue)
    result.set_oldest_overdue_ms(room.oldest_overdue->value);
  if (room.next_due)
    result.set_next_due_ms(room.next_due->value);
  result.set_cut(room.cut);
  return result;
}

} // namespace gnomon::timers
