#include "timers/recurrence/calendar.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <chrono>

namespace gnomon::timers {

namespace {

// Reduces a year to one of the same shape that std::chrono has.
std::chrono::year reduced(std::int64_t year) {
  return std::chrono::year{static_cast<int>(floor_mod(year, cycle_years))};
}

std::chrono::month to_month(int month) {
  return std::chrono::month{static_cast<unsigned>(month)};
}

} // namespace

day_number to_day_number(const civil_date& what) {
  GNOMON_CHECK(what.day <= days_in_month(what.year, what.month));
  const std::chrono::year_month_day date{
    reduced(what.year), to_month(what.month),
    std::chrono::day{static_cast<unsigned>(what.day)}};
  return std::chrono::sys_days{date}.time_since_epoch().count()
         + floor_div(what.year, cycle_years) * cycle_days;
}

civil_date to_date(day_number day) {
  GNOMON_CHECK(day >= -day_number_max);
  GNOMON_CHECK(day <= day_number_max);
  const std::chrono::days rest{floor_mod(day, cycle_days)};
  const std::chrono::year_month_day date{std::chrono::sys_days{rest}};
  return {static_cast<int>(date.year())
            + floor_div(day, cycle_days) * cycle_years,
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day()))};
}

int days_in_month(std::int64_t year, int month) {
  GNOMON_CHECK(month >= 1);
  GNOMON_CHECK(month <= 12);
  const auto last = reduced(year) / to_month(month) / std::chrono::last;
  return static_cast<int>(static_cast<unsigned>(last.day()));
}

int weekday(day_number day) {
  constexpr int epoch_weekday = 4;
  return static_cast<int>(floor_mod(day + epoch_weekday, 7));
}

civil_date add_months(const civil_date& from, std::int64_t months) {
  const auto total = from.year * 12 + (from.month - 1) + months;
  const auto year = floor_div(total, 12);
  const auto month = static_cast<int>(floor_mod(total, 12)) + 1;
  return {year, month, std::min(from.day, days_in_month(year, month))};
}

} // namespace gnomon::timers
