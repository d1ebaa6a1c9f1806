#include "timers/recurrence/cron_rule.hpp"

#include "gnomon/check.hpp"
#include "timers/recurrence/calendar.hpp"
#include "timers/recurrence/text_cursor.hpp"

#include <algorithm>
#include <limits>

namespace gnomon::timers {

namespace {

/// Seconds that timestamps reach, less a margin for offsets.
constexpr utc_seconds utc_max
  = std::numeric_limits<std::int64_t>::max() / 1000 - 2 * day_seconds;

/// Rounds of a search. Each one passes a gap or an overlap that swallowed a
/// match; 400 years of a yearly match in a gap are within it.
constexpr int rounds_max = 1000;

bool is_in_range(utc_seconds when) {
  return when >= -utc_max && when <= utc_max;
}

timestamp to_timestamp(utc_seconds when) {
  return {when * 1000};
}

utc_seconds to_seconds(timestamp when) {
  return floor_div(when.value, 1000);
}

} // namespace

cron_rule::cron_rule(const cron_schedule& schedule, const zone& where,
                     timestamp anchor)
  : schedule_(schedule), where_(where), anchor_(anchor),
    frequent_(schedule.is_frequent()) {
  // nop
}

std::optional<occurrence> cron_rule::first() const {
  const auto found = at_or_after(to_seconds(anchor_) + 1);
  if (!found)
    return std::nullopt;
  return occurrence{1, to_timestamp(*found)};
}

std::optional<occurrence> cron_rule::next(const occurrence& previous) const {
  const auto found = at_or_after(to_seconds(previous.due) + 1);
  if (!found)
    return std::nullopt;
  GNOMON_CHECK(to_timestamp(*found) > previous.due);
  return occurrence{previous.number + 1, to_timestamp(*found)};
}

occurrence cron_rule::latest(const occurrence& from, timestamp now) const {
  const auto begin = to_seconds(from.due) + 1;
  const auto until = std::min(to_seconds(now), utc_max);
  if (begin > until || !is_in_range(begin))
    return from;
  const auto found = last_until(begin, until);
  if (!found)
    return from;
  const auto passed = std::max<std::int64_t>(count(begin, *found + 1), 1);
  return {from.number + static_cast<std::uint64_t>(passed),
          to_timestamp(*found)};
}

/// Returns the last instant in [from, until].
std::optional<utc_seconds> cron_rule::last_until(utc_seconds from,
                                                 utc_seconds until) const {
  const auto is_followed = [this, until](utc_seconds start) {
    const auto found = at_or_after(start);
    return found && *found <= until;
  };
  if (!is_followed(from))
    return std::nullopt;
  utc_seconds low = until;
  utc_seconds high = until + 1;
  for (std::int64_t step = 1; !is_followed(low); step *= 2) {
    high = low;
    low = step < until - from ? std::max(from, until - step) : from;
  }
  while (high - low > 1) {
    const auto middle = low + (high - low) / 2;
    if (is_followed(middle))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Returns the first instant at or behind `from`.
std::optional<utc_seconds> cron_rule::at_or_after(utc_seconds from) const {
  for (int round = 0; round < rounds_max && is_in_range(from); ++round) {
    const auto offset = where_.offset_at(from);
    const auto wall = schedule_.at_or_after(from + offset);
    if (!wall)
      return std::nullopt;
    const auto here = where_.meaning(from + offset);
    if (here.shown == wall_meaning::kind::twice && from < here.change) {
      // Until the clock is put back, the wall runs straight on from here.
      if (*wall - offset < here.change)
        return *wall - offset;
      from = here.change;
      continue;
    }
    const auto found = resolve(*wall, from);
    if (found.is_match && found.at >= from)
      return found.at;
    // Whatever the database says: the search goes forward.
    from = std::max(found.at, from + 1);
  }
  return std::nullopt;
}

/// Returns the instant of a matching `wall`, or where to search on.
cron_rule::resolved cron_rule::resolve(wall_seconds wall,
                                       utc_seconds from) const {
  const auto meaning = where_.meaning(wall);
  switch (meaning.shown) {
  case wall_meaning::kind::once:
    return {true, meaning.first};
  case wall_meaning::kind::never:
    return {false, meaning.change};
  case wall_meaning::kind::twice:
    break;
  }
  if (meaning.first >= from)
    return {true, meaning.first};
  if (frequent_ || to_timestamp(meaning.first) < anchor_)
    return {true, meaning.second};
  // All that is shown a second time from here on was due the first time.
  return {false, meaning.change + (meaning.second - meaning.first)};
}

/// Returns how many instants lie in [begin, end), by the stretches between
/// changes of the offset. Behind the changes that the zone lists, hundreds of
/// years ahead, each change may put the number off by the matches in it.
std::int64_t cron_rule::count(utc_seconds begin, utc_seconds end) const {
  const auto end_wall = end + where_.offset_at(end - 1);
  auto wall = begin + where_.offset_at(begin);
  std::int64_t result = -count_rest_shown_again(begin, end_wall);
  for (auto at = begin; const auto change = where_.next_change(at);) {
    if (change->at >= end)
      break;
    result += count_span(wall, change->from);
    wall = change->to;
    at = change->at;
    if (change->to < change->from && !frequent_)
      result -= count_since_anchor(wall, std::min(change->from, end_wall),
                                   change->from - change->at);
  }
  return result + count_span(wall, end_wall);
}

/// If `begin` lies where the clock shows times again, returns how many of those
/// ahead were due the first time.
std::int64_t cron_rule::count_rest_shown_again(utc_seconds begin,
                                               wall_seconds end_wall) const {
  const auto wall = begin + where_.offset_at(begin);
  const auto here = where_.meaning(wall);
  if (frequent_ || here.shown != wall_meaning::kind::twice
      || begin < here.change)
    return 0;
  const auto end = here.change + (wall - here.first);
  return count_since_anchor(wall, std::min(end, end_wall), wall - here.first);
}

/// Counts wall times whose instant by `offset` is not before the anchor.
std::int64_t cron_rule::count_since_anchor(wall_seconds begin, wall_seconds end,
                                           std::int64_t offset) const {
  const auto first = floor_div(anchor_.value, 1000)
                     + (floor_mod(anchor_.value, 1000) != 0 ? 1 : 0);
  return count_span(std::max(begin, first + offset), end);
}

std::int64_t cron_rule::count_span(wall_seconds begin, wall_seconds end) const {
  return begin < end ? schedule_.count(begin, end) : 0;
}

rule_pointer parse_cron_rule(text_cursor& in, const rule_context& context) {
  std::size_t days_begin = 0;
  const auto fields = parse_cron(in, context.cron_five_fields, days_begin);
  if (!fields)
    return nullptr;
  auto result = std::make_shared<cron_rule>(
    cron_schedule{*fields}, context.default_zone, context.anchor);
  if (result->first())
    return result;
  in.fail_since(days_begin, "a date that comes up at least once in 400 years, "
                            "but this is never due");
  return nullptr;
}

} // namespace gnomon::timers
