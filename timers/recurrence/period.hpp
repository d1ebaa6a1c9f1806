// Lengths of time with calendar parts, and the grid they make.

#pragma once

#include "gnomon/timestamp.hpp"
#include "timers/recurrence/calendar.hpp"
#include "timers/recurrence/zone.hpp"

#include <cstdint>
#include <optional>

namespace gnomon::timers {

class text_cursor;

/// A length of time. Months and days are counted on the calendar of a zone,
/// milliseconds are exact.
struct period {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t ms = 0;

  bool has_calendar_parts() const {
    return months != 0 || days != 0;
  }

  bool is_zero() const {
    return months == 0 && days == 0 && ms == 0;
  }

  /// Says whether it leads forward in all of its parts.
  bool is_positive() const {
    return months >= 0 && days >= 0 && ms >= 0 && !is_zero();
  }

  /// Says whether it leads backward in all of its parts.
  bool is_negative() const {
    return months <= 0 && days <= 0 && ms <= 0 && !is_zero();
  }

  friend bool operator==(const period&, const period&) = default;
};

/// Reads an ISO 8601 duration, `[+-]P[nY][nM][nW][nD][T[nH][nM][n[.f]S]]`, up
/// to the end of the part.
std::optional<period> parse_duration(text_cursor& in);

/// Reads a short form, `[nw][nd][nh][nm][ns][nms]` without a sign, up to the
/// end of the part. Weeks and days are calendar parts.
std::optional<period> parse_short_form(text_cursor& in);

/// The instants `origin` + k periods. Each is computed from the origin: months
/// first (once, clamped to the end of the month), then days, both on the wall
/// of the zone; then the instant of that wall time, moved forward by the length
/// of a gap it falls in, with the origin's offset in an overlap if that is
/// possible, else the earlier one; then the milliseconds.
class grid {
public:
  grid(timestamp origin, const zone& where, const period& step);

  /// Returns instant `k`, or nothing if a timestamp cannot hold it.
  std::optional<timestamp> at(std::int64_t k) const;

  const period& step() const {
    return step_;
  }

private:
  std::optional<timestamp> on_calendar(std::int64_t months,
                                       std::int64_t days) const;

  timestamp origin_;
  zone where_;
  period step_;
  std::int32_t offset_ = 0;
  civil_date date_;
  std::int64_t ms_of_day_ = 0;
};

} // namespace gnomon::timers
