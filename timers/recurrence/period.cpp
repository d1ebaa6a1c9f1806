#include "timers/recurrence/period.hpp"

namespace gnomon::timers {

namespace {

/// Returns `seconds` and the milliseconds of `ms_part`, if that fits.
std::optional<timestamp> to_timestamp(utc_seconds seconds, std::int64_t ms) {
  std::int64_t value = 0;
  if (__builtin_mul_overflow(seconds, 1000, &value)
      || __builtin_add_overflow(value, ms, &value))
    return std::nullopt;
  return timestamp{value};
}

/// Returns the instant of `wall` that a clock with `offset` before is likely
/// to mean.
utc_seconds resolve(const zone& where, wall_seconds wall, std::int32_t offset) {
  const auto meaning = where.meaning(wall);
  const bool second = meaning.shown == wall_meaning::kind::twice
                      && wall - offset == meaning.second;
  return second ? meaning.second : meaning.first;
}

} // namespace

grid::grid(timestamp origin, const zone& where, const period& step)
  : origin_(origin), where_(where), step_(step) {
  if (!step.has_calendar_parts())
    return;
  const auto seconds = floor_div(origin.value, 1000);
  offset_ = where.offset_at(seconds);
  const auto wall = seconds + offset_;
  date_ = to_date(floor_div(wall, day_seconds));
  ms_of_day_
    = floor_mod(wall, day_seconds) * 1000 + floor_mod(origin.value, 1000);
}

std::optional<timestamp> grid::at(std::int64_t k) const {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t ms = 0;
  if (__builtin_mul_overflow(step_.months, k, &months)
      || __builtin_mul_overflow(step_.days, k, &days)
      || __builtin_mul_overflow(step_.ms, k, &ms))
    return std::nullopt;
  const auto base = step_.has_calendar_parts() ? on_calendar(months, days)
                                               : std::optional{origin_};
  std::int64_t value = 0;
  if (!base || __builtin_add_overflow(base->value, ms, &value))
    return std::nullopt;
  return timestamp{value};
}

std::optional<timestamp> grid::on_calendar(std::int64_t months,
                                           std::int64_t days) const {
  constexpr std::int64_t months_max = 12 * 600'000'000LL;
  if (months > months_max || months < -months_max || days > 2 * day_number_max
      || days < -2 * day_number_max)
    return std::nullopt;
  const auto day = to_day_number(add_months(date_, months)) + days;
  if (day > day_number_max || day < -day_number_max)
    return std::nullopt;
  const auto wall = day * day_seconds + ms_of_day_ / 1000;
  return to_timestamp(resolve(where_, wall, offset_), ms_of_day_ % 1000);
}

} // namespace gnomon::timers
