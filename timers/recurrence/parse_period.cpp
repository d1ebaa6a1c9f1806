#include "timers/recurrence/period.hpp"
#include "timers/recurrence/text_cursor.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace gnomon::timers {

namespace {

// Wide enough for any count of 2^63 hours in nanoseconds.
__extension__ using wide = __int128;

constexpr std::int64_t part_max = std::numeric_limits<std::int32_t>::max();
constexpr wide ns_per_second = 1'000'000'000;

bool fits_part(std::int64_t value) {
  return value <= part_max && value >= -part_max - 1;
}

std::optional<std::int64_t> to_ms(wide ns) {
  const auto ms = ns / 1'000'000;
  if (ms > std::numeric_limits<std::int64_t>::max()
      || ms < std::numeric_limits<std::int64_t>::min())
    return std::nullopt;
  return static_cast<std::int64_t>(ms);
}

/// A number with its sign, and where it began.
struct component {
  std::size_t begin = 0;
  std::int64_t value = 0;
  bool negative = false;
};

std::optional<component> take_component(text_cursor& in) {
  component result{.begin = in.offset(), .negative = in.peek() == '-'};
  if (in.peek() == '-' || in.peek() == '+')
    in.skip();
  const auto number = in.take_number("a number");
  if (!number)
    return std::nullopt;
  result.value = result.negative ? -*number : *number;
  return result;
}

/// Takes one of `letters` that lies behind `last`. @returns Its index.
std::optional<std::size_t> take_unit(text_cursor& in, std::string_view letters,
                                     std::size_t first) {
  const auto allowed = letters.substr(first);
  const auto index
    = in.at_end() ? allowed.npos : allowed.find(upper(in.peek()));
  if (allowed.empty())
    return in.fail("the end");
  if (index == allowed.npos)
    return in.fail("one of the units " + std::string{allowed}
                   + " in this order");
  in.skip();
  return first + index;
}

/// Adds `value` units of index `unit` of "YMWD".
bool add_date_part(period& to, std::size_t unit, std::int64_t value) {
  constexpr std::int64_t factors[] = {12, 1, 7, 1};
  if (!fits_part(value))
    return false;
  if (unit < 2)
    to.months += value * factors[unit];
  else
    to.days += value * factors[unit];
  return fits_part(to.days);
}

std::optional<period> take_date_parts(text_cursor& in) {
  period result;
  std::size_t next_unit = 0;
  while (!in.at_end() && in.peek() != 'T') {
    const auto number = take_component(in);
    if (!number)
      return std::nullopt;
    const auto unit = take_unit(in, "YMWD", next_unit);
    if (!unit)
      return std::nullopt;
    if (!add_date_part(result, *unit, number->value))
      return in.fail_since(number->begin, "a count of at most 2147483647");
    next_unit = *unit + 1;
  }
  return result;
}

/// Takes `[.f]`, in nanoseconds, with the sign of the seconds before it.
std::optional<wide> take_seconds_fraction(text_cursor& in, bool negative) {
  if (!in.take('.') && !in.take(','))
    return 0;
  const auto fraction = in.take_fraction(0);
  if (!fraction)
    return std::nullopt;
  if (upper(in.peek()) != 'S')
    return in.fail("S, since only seconds may have a fraction");
  return negative ? -*fraction : *fraction;
}

std::optional<wide> take_time_parts(text_cursor& in) {
  constexpr wide factors[] = {3600, 60, 1};
  wide ns = 0;
  std::size_t next_unit = 0;
  do {
    const auto number = take_component(in);
    if (!number)
      return std::nullopt;
    const auto fraction = take_seconds_fraction(in, number->negative);
    if (!fraction)
      return std::nullopt;
    const auto unit = take_unit(in, "HMS", next_unit);
    if (!unit)
      return std::nullopt;
    ns += number->value * factors[*unit] * ns_per_second + *fraction;
    next_unit = *unit + 1;
  } while (!in.at_end());
  return ns;
}

period negated(const period& what) {
  return {-what.months, -what.days, -what.ms};
}

} // namespace

std::optional<period> parse_duration(text_cursor& in) {
  const auto begin = in.offset();
  const bool negative = in.peek() == '-';
  if (in.peek() == '-' || in.peek() == '+')
    in.skip();
  if (!in.take_letter('P'))
    return in.fail("a duration like PT1H");
  if (in.at_end())
    return in.fail("a number");
  auto result = take_date_parts(in);
  if (!result)
    return std::nullopt;
  if (in.take('T')) {
    const auto ns = take_time_parts(in);
    if (!ns)
      return std::nullopt;
    const auto ms = to_ms(*ns);
    if (!ms || *ms == std::numeric_limits<std::int64_t>::min())
      return in.fail_since(begin, "a duration below 2^63 milliseconds");
    result->ms = *ms;
  }
  return negative ? negated(*result) : *result;
}

namespace {

struct short_unit {
  std::string_view name;
  std::int64_t days;
  std::int64_t ms;
};

constexpr short_unit short_units[] = {
  {"w", 7, 0},      {"d", 1, 0},    {"h", 0, 3'600'000},
  {"m", 0, 60'000}, {"s", 0, 1000}, {"ms", 0, 1},
};
constexpr std::size_t short_unit_count = std::size(short_units);

/// Takes a unit at or behind index `first`. @returns Its index.
std::optional<std::size_t> take_short_unit(text_cursor& in, std::size_t first) {
  std::size_t length = 0;
  while (in.peek(length) >= 'a' && in.peek(length) <= 'z')
    ++length;
  const auto name = in.rest().substr(0, length);
  for (auto index = first; index < short_unit_count; ++index) {
    if (short_units[index].name == name) {
      in.skip(length);
      return index;
    }
  }
  return in.fail(first < short_unit_count
                   ? "one of the units w, d, h, m, s, ms in this order"
                   : "the end");
}

bool add_short(period& to, const short_unit& unit, std::int64_t count) {
  std::int64_t days = 0;
  std::int64_t ms = 0;
  return !__builtin_mul_overflow(unit.days, count, &days)
         && !__builtin_mul_overflow(unit.ms, count, &ms)
         && !__builtin_add_overflow(to.days, days, &to.days)
         && !__builtin_add_overflow(to.ms, ms, &to.ms) && fits_part(to.days);
}

} // namespace

std::optional<period> parse_short_form(text_cursor& in) {
  period result;
  std::size_t next_unit = 0;
  do {
    const auto begin = in.offset();
    const auto count = in.take_number("a number");
    if (!count)
      return std::nullopt;
    const auto unit = take_short_unit(in, next_unit);
    if (!unit)
      return std::nullopt;
    if (!add_short(result, short_units[*unit], *count))
      return in.fail_since(begin, "a length below 2^31 days");
    next_unit = *unit + 1;
  } while (!in.at_end());
  return result;
}

} // namespace gnomon::timers
