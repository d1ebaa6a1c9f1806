// Dates of the Gregorian calendar for all years that milliseconds reach.

#pragma once

#include <cstdint>

namespace gnomon::timers {

/// Days since 1970-01-01, may be negative.
using day_number = std::int64_t;

/// A calendar repeats itself, weekdays included, after this many years.
inline constexpr std::int64_t cycle_years = 400;
inline constexpr std::int64_t cycle_days = 146'097;

inline constexpr std::int64_t day_seconds = 86'400;
inline constexpr std::int64_t day_ms = day_seconds * 1000;

/// Bound of day numbers: all dates of timestamps lie well within.
inline constexpr day_number day_number_max = 110'000'000'000;

/// A date. `std::chrono::year` ends at 32767, timestamps do not.
struct civil_date {
  std::int64_t year = 0;
  int month = 1;
  int day = 1;

  friend bool operator==(const civil_date&, const civil_date&) = default;
};

/// Returns `a / b`, rounded down. @pre `b > 0`.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Returns `a - floor_div(a, b) * b`, which is not negative.
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  return a % b < 0 ? a % b + b : a % b;
}

/// @pre `what` is a date that exists.
day_number to_day_number(const civil_date& what);

/// @pre `-day_number_max <= day <= day_number_max`.
civil_date to_date(day_number day);

/// Returns how many days `month` (1 to 12) has in `year`.
int days_in_month(std::int64_t year, int month);

/// Returns the day of the week, 0 for Sunday.
int weekday(day_number day);

/// Returns the date `months` later, on the last day of the month if it would
/// lie behind that. @pre The result is within the bounds of `to_date`.
civil_date add_months(const civil_date& from, std::int64_t months);

} // namespace gnomon::timers
