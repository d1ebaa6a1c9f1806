#include "timers/recurrence/cron_schedule.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <bit>

namespace gnomon::timers {

namespace {

constexpr int months_per_cycle = 12 * static_cast<int>(cycle_years);

constexpr std::uint64_t bit(int n) {
  return std::uint64_t{1} << n;
}

/// Bits 0 to n - 1.
constexpr std::uint64_t below(int n) {
  return bit(n) - 1;
}

/// Returns the lowest bit of `set` at or above `n`, or -1.
int bit_at_or_above(std::uint64_t set, int n) {
  const auto rest = n < 64 ? set & ~below(n) : 0;
  return rest == 0 ? -1 : std::countr_zero(rest);
}

/// Moves a set of weekdays to the days 1 to 7 of a month whose first day is
/// weekday `first`.
std::uint64_t in_first_week(std::uint64_t weekdays, int first) {
  const auto twice = weekdays | (weekdays << 7);
  return ((twice >> first) & below(7)) << 1;
}

/// Repeats the days 1 to 7 of a month up to day 35.
std::uint64_t every_week(std::uint64_t first_week) {
  return first_week | first_week << 7 | first_week << 14 | first_week << 21
         | first_week << 28;
}

/// Returns the working day nearest to `day` that does not leave the month.
int nearest_working_day(int day, int first, int length) {
  switch ((first + day - 1) % 7) {
  case 0:
    return day < length ? day + 1 : day - 2;
  case 6:
    return day > 1 ? day - 1 : day + 2;
  default:
    return day;
  }
}

std::uint64_t by_day_of_month(const cron_fields& fields, int first,
                              int length) {
  auto result = fields.days;
  for (auto rest = fields.days_before_last; rest != 0; rest &= rest - 1) {
    const auto day = length - std::countr_zero(rest);
    if (day >= 1)
      result |= bit(day);
  }
  for (auto rest = fields.nearest_weekdays; rest != 0; rest &= rest - 1) {
    const auto day = std::countr_zero(rest);
    if (day <= length)
      result |= bit(nearest_working_day(day, first, length));
  }
  if (fields.last_working_day)
    result |= bit(nearest_working_day(length, first, length));
  return result;
}

std::uint64_t by_day_of_week(const cron_fields& fields, int first, int length) {
  auto result = every_week(in_first_week(fields.weekdays, first));
  for (int n = 0; n < 5; ++n)
    result |= in_first_week(fields.nth_weekdays[n], first) << (7 * n);
  if (fields.last_weekdays != 0) {
    const auto last_week = below(length + 1) & ~below(length - 6);
    result
      |= every_week(in_first_week(fields.last_weekdays, first)) & last_week;
  }
  return result;
}

std::int64_t size(std::uint64_t set) {
  return std::popcount(set);
}

} // namespace

cron_schedule::cron_schedule(const cron_fields& fields) : fields_(fields) {
  GNOMON_CHECK(fields.seconds != 0);
  GNOMON_CHECK(fields.minutes != 0);
  GNOMON_CHECK(fields.hours != 0);
  first_time_ = std::countr_zero(fields.hours) * 3600
                + std::countr_zero(fields.minutes) * 60
                + std::countr_zero(fields.seconds);
}

std::optional<wall_seconds>
cron_schedule::at_or_after(wall_seconds wall) const {
  const auto day = floor_div(wall, day_seconds);
  const auto found = next_day(day);
  if (found != day)
    return found ? std::optional{*found * day_seconds + first_time_}
                 : std::nullopt;
  const auto time = time_at_or_after(floor_mod(wall, day_seconds));
  if (time)
    return day * day_seconds + *time;
  const auto later = next_day(day + 1);
  if (!later)
    return std::nullopt;
  return *later * day_seconds + first_time_;
}

/// Returns the first matching day at or behind `day`.
std::optional<day_number> cron_schedule::next_day(day_number day) const {
  if (day > day_number_max - cycle_days || day < -day_number_max)
    return std::nullopt;
  auto date = to_date(day);
  auto first = day - (date.day - 1);
  // One month more than a cycle: the first one counts only in part.
  for (int i = 0; i <= months_per_cycle; ++i) {
    const auto candidates
      = days_of(date.year, date.month, first) & ~below(date.day);
    if (candidates != 0)
      return first + std::countr_zero(candidates) - 1;
    first += days_in_month(date.year, date.month);
    date = add_months({date.year, date.month, 1}, 1);
  }
  return std::nullopt;
}

/// Returns the first matching time of a day, in seconds.
std::optional<std::int64_t>
cron_schedule::time_at_or_after(std::int64_t second) const {
  const auto h = static_cast<int>(second / 3600);
  const auto m = static_cast<int>(second / 60 % 60);
  const auto s = static_cast<int>(second % 60);
  const auto first_second = std::countr_zero(fields_.seconds);
  if ((fields_.hours & bit(h)) != 0) {
    const auto here = bit_at_or_above(fields_.seconds, s);
    if ((fields_.minutes & bit(m)) != 0 && here >= 0)
      return h * 3600 + m * 60 + here;
    const auto minute = bit_at_or_above(fields_.minutes, m + 1);
    if (minute >= 0)
      return h * 3600 + minute * 60 + first_second;
  }
  const auto hour = bit_at_or_above(fields_.hours, h + 1);
  if (hour < 0)
    return std::nullopt;
  return hour * 3600 + std::countr_zero(fields_.minutes) * 60 + first_second;
}

/// Returns how many matching times of a day lie before `second` of it.
std::int64_t cron_schedule::times_before(std::int64_t second) const {
  const auto h = static_cast<int>(second / 3600);
  const auto m = static_cast<int>(second / 60 % 60);
  const auto s = static_cast<int>(second % 60);
  const auto per_minute = size(fields_.seconds);
  auto result
    = size(fields_.hours & below(h)) * size(fields_.minutes) * per_minute;
  if ((fields_.hours & bit(h)) == 0)
    return result;
  result += size(fields_.minutes & below(m)) * per_minute;
  if ((fields_.minutes & bit(m)) != 0)
    result += size(fields_.seconds & below(s));
  return result;
}

/// Returns how many matching days lie in [begin, end), at the cost of at most
/// two cycles.
std::int64_t cron_schedule::count_days(day_number begin, day_number end) const {
  if (end - begin > cycle_days) {
    const auto cycles = (end - begin) / cycle_days;
    return cycles * count_days(begin, begin + cycle_days)
           + count_days(begin + cycles * cycle_days, end);
  }
  std::int64_t result = 0;
  auto date = to_date(begin);
  for (auto first = begin - (date.day - 1); first < end;) {
    const auto length = days_in_month(date.year, date.month);
    auto days = days_of(date.year, date.month, first) & ~below(date.day);
    if (end - first < length)
      days &= below(static_cast<int>(end - first) + 1);
    result += size(days);
    first += length;
    date = add_months({date.year, date.month, 1}, 1);
  }
  return result;
}

/// Returns the matching days of a month as bits 1 to 31.
std::uint64_t cron_schedule::days_of(std::int64_t year, int month,
                                     day_number first) const {
  if ((fields_.months & bit(month)) == 0)
    return 0;
  const auto length = days_in_month(year, month);
  const auto first_weekday = weekday(first);
  return by_day_of_month(fields_, first_weekday, length)
         & by_day_of_week(fields_, first_weekday, length) & below(length + 1);
}

/// Returns how many matches of `day`, the day of `wall`, lie before `wall`.
std::int64_t cron_schedule::matches_before(wall_seconds wall,
                                           day_number day) const {
  if (count_days(day, day + 1) == 0)
    return 0;
  return times_before(wall - day * day_seconds);
}

std::int64_t cron_schedule::count(wall_seconds begin, wall_seconds end) const {
  GNOMON_CHECK(begin <= end);
  const auto begin_day = floor_div(begin, day_seconds);
  const auto end_day = floor_div(end, day_seconds);
  const auto per_day
    = size(fields_.hours) * size(fields_.minutes) * size(fields_.seconds);
  return count_days(begin_day, end_day) * per_day
         - matches_before(begin, begin_day) + matches_before(end, end_day);
}

bool cron_schedule::is_frequent() const {
  return !std::has_single_bit(fields_.seconds)
         || !std::has_single_bit(fields_.minutes) || fields_.hours == below(24);
}

} // namespace gnomon::timers
