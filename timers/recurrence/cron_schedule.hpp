// The wall times that a cron expression names, without any zone.

#pragma once

#include "timers/recurrence/calendar.hpp"
#include "timers/recurrence/zone.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace gnomon::timers {

class text_cursor;

/// What a cron expression says. Bit n of a member stands for value n.
struct cron_fields {
  std::uint64_t seconds = 0;
  std::uint64_t minutes = 0;
  std::uint64_t hours = 0;
  /// 1 to 12.
  std::uint64_t months = 0;

  /// Days of the month: 1 to 31; `L-n` (n = 0: the last); `nW`; `LW`.
  std::uint64_t days = 0;
  std::uint64_t days_before_last = 0;
  std::uint64_t nearest_weekdays = 0;
  bool last_working_day = false;

  /// Days of the week, Sunday is 0: any; last of the month; n-th of the month.
  std::uint64_t weekdays = 0;
  std::uint64_t last_weekdays = 0;
  std::array<std::uint64_t, 5> nth_weekdays{};
};

/// Finds and counts wall times. A day must match the day-of-month field *and*
/// the day-of-week field.
class cron_schedule {
public:
  explicit cron_schedule(const cron_fields& fields);

  /// Returns the first match at or behind `wall` within 400 years; there is
  /// none at all if it finds nothing.
  std::optional<wall_seconds> at_or_after(wall_seconds wall) const;

  /// Returns how many matches lie in [begin, end). @pre `begin <= end`.
  std::int64_t count(wall_seconds begin, wall_seconds end) const;

  /// Says whether there are matches less than an hour apart, or every hour:
  /// something like an interval, not a time of day.
  bool is_frequent() const;

private:
  std::optional<day_number> next_day(day_number day) const;

  std::optional<std::int64_t> time_at_or_after(std::int64_t second) const;

  std::int64_t times_before(std::int64_t second) const;

  std::int64_t count_days(day_number begin, day_number end) const;

  std::uint64_t days_of(std::int64_t year, int month, day_number first) const;

  std::int64_t matches_before(wall_seconds wall, day_number day) const;

  cron_fields fields_;
  std::int64_t first_time_ = 0;
};

/// Reads six fields (second first), five (minute first), or a macro, up to the
/// end of the part.
/// @param days_begin  Set to where the day-of-month field is written.
std::optional<cron_fields> parse_cron(text_cursor& in, bool five_fields,
                                      std::size_t& days_begin);

} // namespace gnomon::timers
