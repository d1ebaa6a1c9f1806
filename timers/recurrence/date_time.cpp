#include "timers/recurrence/date_time.hpp"

#include "timers/recurrence/calendar.hpp"
#include "timers/recurrence/text_cursor.hpp"

namespace gnomon::timers {

namespace {

/// Years have four digits, and more only behind a sign.
std::optional<std::int64_t> take_year(text_cursor& in) {
  constexpr int digits_min = 4;
  constexpr int digits_max = 10;
  const auto begin = in.offset();
  const bool negative = in.peek() == '-';
  const bool sign = negative || in.peek() == '+';
  if (sign)
    in.skip();
  int digits = 0;
  while (digits <= digits_max && is_digit(in.peek(digits)))
    ++digits;
  if (digits < digits_min) {
    in.skip(digits);
    return in.fail("a year of four digits");
  }
  const auto year = in.take_number("a year");
  if (!year)
    return std::nullopt;
  const bool is_long = digits > digits_min;
  if (is_long != sign && !(negative && !is_long && *year != 0))
    return in.fail_since(begin,
                         "a year of four digits, or a longer one with a sign");
  if (digits > digits_max)
    return in.fail_since(begin, "a year of at most ten digits");
  return negative ? -*year : *year;
}

bool expect(text_cursor& in, char wanted, std::string_view expected) {
  if (in.take(wanted))
    return true;
  in.fail(expected);
  return false;
}

std::optional<day_number> take_date(text_cursor& in) {
  const auto begin = in.offset();
  const auto year = take_year(in);
  if (!year || !expect(in, '-', "-"))
    return std::nullopt;
  const auto month = in.take_fixed(2, 1, 12, "a month from 01 to 12");
  if (!month || !expect(in, '-', "-"))
    return std::nullopt;
  const auto day_begin = in.offset();
  const auto day = in.take_fixed(2, 1, 31, "a day of two digits");
  if (!day)
    return std::nullopt;
  if (*day > days_in_month(*year, *month))
    return in.fail_since(day_begin, "a day that the month has");
  const auto number = to_day_number({*year, *month, *day});
  if (number > day_number_max || number < -day_number_max)
    return in.fail_since(begin, "a year within 292 million");
  return number;
}

/// Returns milliseconds since the start of the day.
std::optional<std::int64_t> take_time(text_cursor& in) {
  const auto hour = in.take_fixed(2, 0, 23, "hours from 00 to 23");
  if (!hour || !expect(in, ':', ":"))
    return std::nullopt;
  const auto minute = in.take_fixed(2, 0, 59, "minutes from 00 to 59");
  if (!minute)
    return std::nullopt;
  std::int64_t ms = (*hour * 60 + *minute) * 60'000LL;
  if (!in.take(':'))
    return ms;
  const auto second = in.take_fixed(2, 0, 59, "seconds from 00 to 59");
  if (!second)
    return std::nullopt;
  ms += *second * 1000LL;
  if (!in.take('.'))
    return ms;
  const auto fraction = in.take_fraction(1);
  if (!fraction)
    return std::nullopt;
  return ms + *fraction / 1'000'000;
}

std::optional<timestamp> to_instant(day_number day, std::int64_t ms) {
  // Midnight of the first representable day is not representable itself, so
  // the sum starts from the middle of the range.
  const auto half = day / 2;
  std::int64_t value = half * day_ms + ms;
  if (__builtin_add_overflow(value, (day - half) * day_ms, &value))
    return std::nullopt;
  return timestamp{value};
}

std::optional<zone> take_bracketed_zone(text_cursor& in) {
  const auto begin = in.offset();
  const auto length = in.rest().find(']');
  if (length == std::string_view::npos) {
    in.skip(in.rest().size());
    return in.fail("]");
  }
  const auto found = zone::find(in.rest().substr(0, length));
  in.skip(length);
  if (!found)
    return in.fail_since(begin, "the name of a zone, e.g., Europe/Berlin");
  in.skip();
  return found;
}

} // namespace

std::optional<moment> parse_date_time(text_cursor& in) {
  const auto begin = in.offset();
  const auto day = take_date(in);
  if (!day)
    return std::nullopt;
  if (!in.take_letter('T'))
    return in.fail("T and a time");
  const auto ms = take_time(in);
  if (!ms)
    return std::nullopt;
  const auto offset = parse_offset(in);
  if (!offset)
    return std::nullopt;
  std::optional<zone> where = zone::fixed(*offset);
  if (in.take('['))
    where = take_bracketed_zone(in);
  if (!where)
    return std::nullopt;
  const auto when = to_instant(*day, *ms - *offset * 1000LL);
  if (!when)
    return in.fail_since(begin, "a date within 2^63 milliseconds of 1970");
  if (!in.at_end())
    return in.fail("the end");
  return moment{*when, *where};
}

bool looks_like_date(const text_cursor& in) {
  const bool sign = in.peek() == '-' || in.peek() == '+';
  std::size_t digits = 0;
  while (is_digit(in.peek((sign ? 1 : 0) + digits)))
    ++digits;
  // A unit behind the number makes it a short form, however long the number.
  const auto is_short_form
    = std::string_view{"wdhms"}.find(in.peek((sign ? 1 : 0) + digits))
      != std::string_view::npos;
  return (digits >= 4 && !is_short_form) || (sign && digits > 0);
}

} // namespace gnomon::timers
