#include "timers/recurrence/cron_schedule.hpp"
#include "timers/recurrence/text_cursor.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace gnomon::timers {

namespace {

constexpr std::string_view month_names = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
constexpr std::string_view weekday_names = "SUNMONTUEWEDTHUFRISAT";

/// Values of one field. Names are three letters each, the first one is `min`.
struct field_values {
  std::string_view title;
  int min;
  int max;
  std::string_view names;
};

constexpr field_values second_values{"second", 0, 59, {}};
constexpr field_values minute_values{"minute", 0, 59, {}};
constexpr field_values hour_values{"hour", 0, 23, {}};
constexpr field_values day_values{"day of the month", 1, 31, {}};
constexpr field_values month_values{"month", 1, 12, month_names};
// 7 is Sunday as well.
constexpr field_values weekday_values{"day of the week", 0, 7, weekday_names};

constexpr int sunday = 7;

std::string describe(const field_values& values) {
  return std::string{values.title} + " from " + std::to_string(values.min)
         + " to " + std::to_string(values.max);
}

/// Returns the value of the name that `text` begins with.
std::optional<int> find_name(std::string_view text,
                             const field_values& values) {
  constexpr std::size_t length = 3;
  if (text.size() < length)
    return std::nullopt;
  const char name[] = {upper(text[0]), upper(text[1]), upper(text[2])};
  for (std::size_t at = 0; at < values.names.size(); at += length)
    if (values.names.substr(at, length) == std::string_view{name, length})
      return values.min + static_cast<int>(at / length);
  return std::nullopt;
}

std::optional<int> take_value(text_cursor& in, const field_values& values) {
  const auto begin = in.offset();
  if (const auto name = find_name(in.rest(), values)) {
    in.skip(3);
    return *name;
  }
  if (!is_digit(in.peek()))
    return in.fail(describe(values));
  const auto number = in.take_number(describe(values));
  if (!number || *number < values.min || *number > values.max)
    return in.fail_since(begin, describe(values));
  return static_cast<int>(*number);
}

/// Takes `[/n]`. @returns The step, 0 if there is none.
std::optional<int> take_step(text_cursor& in, const field_values& values) {
  if (!in.take('/'))
    return 0;
  const auto begin = in.offset();
  const auto expected = "a step from 1 to " + std::to_string(values.max);
  const auto step = in.take_number(expected);
  if (!step)
    return std::nullopt;
  if (*step < 1 || *step > values.max)
    return in.fail_since(begin, expected);
  return static_cast<int>(*step);
}

std::uint64_t every(int from, int to, int step) {
  std::uint64_t set = 0;
  for (int value = from; value <= to; value += step)
    set |= std::uint64_t{1} << value;
  return set;
}

/// Takes what follows the value `from`: `[-to][/step]`.
std::optional<std::uint64_t> take_range(text_cursor& in, std::size_t begin,
                                        int from, const field_values& values) {
  int to = from;
  const bool has_end = in.take('-');
  if (has_end) {
    const auto value = take_value(in, values);
    if (!value)
      return std::nullopt;
    to = *value;
    if (values.max == sunday && to == 0 && from > 0)
      to = sunday;
    if (values.max == sunday && from == sunday && to < from)
      from = 0;
    if (to < from)
      return in.fail_since(begin, "a range that does not run backwards");
  }
  const auto step = take_step(in, values);
  if (!step)
    return std::nullopt;
  if (*step > 0 && !has_end)
    to = values.max;
  return every(from, to, std::max(*step, 1));
}

/// Takes `*[/step]` or `value[-value][/step]`.
std::optional<std::uint64_t> take_set(text_cursor& in,
                                      const field_values& values) {
  const auto begin = in.offset();
  if (in.take('*')) {
    const auto step = take_step(in, values);
    if (!step)
      return std::nullopt;
    return every(values.min, values.max, std::max(*step, 1));
  }
  const auto from = take_value(in, values);
  if (!from)
    return std::nullopt;
  return take_range(in, begin, *from, values);
}

bool expect_end(text_cursor& in) {
  if (in.at_end())
    return true;
  in.fail("a comma or the end of the field");
  return false;
}

/// Takes the items of a list by `take_item(in)`, which says whether it worked.
template <class TakeItem>
bool take_list(text_cursor& in, const TakeItem& take_item) {
  do {
    if (!take_item(in))
      return false;
  } while (in.take(','));
  return expect_end(in);
}

std::optional<std::uint64_t> take_plain_field(text_cursor& in,
                                              const field_values& values) {
  std::uint64_t result = 0;
  const bool taken = take_list(in, [&](text_cursor& item) {
    const auto set = take_set(item, values);
    result |= set.value_or(0);
    return set.has_value();
  });
  if (!taken)
    return std::nullopt;
  return result;
}

/// Takes a number from 1 to `max`.
std::optional<int> take_small(text_cursor& in, int max,
                              const std::string& expected) {
  const auto begin = in.offset();
  const auto number = in.take_number(expected);
  if (!number)
    return std::nullopt;
  if (*number < 1 || *number > max)
    return in.fail_since(begin, expected);
  return static_cast<int>(*number);
}

/// Takes `L`, `L-n`, `LW`; the L is taken already.
bool take_last_day(text_cursor& in, cron_fields& to) {
  if (in.take_letter('W')) {
    to.last_working_day = true;
    return true;
  }
  if (!in.take('-')) {
    to.days_before_last |= 1;
    return true;
  }
  const auto before = take_small(in, 30, "a count of days from 1 to 30");
  if (before)
    to.days_before_last |= std::uint64_t{1} << *before;
  return before.has_value();
}

bool take_day_item(text_cursor& in, cron_fields& to) {
  if (in.take_letter('L'))
    return take_last_day(in, to);
  const auto begin = in.offset();
  if (in.peek() == '*') {
    const auto set = take_set(in, day_values);
    to.days |= set.value_or(0);
    return set.has_value();
  }
  const auto from = take_value(in, day_values);
  if (!from)
    return false;
  if (in.take_letter('W')) {
    to.nearest_weekdays |= std::uint64_t{1} << *from;
    return true;
  }
  const auto set = take_range(in, begin, *from, day_values);
  to.days |= set.value_or(0);
  return set.has_value();
}

bool take_weekday_item(text_cursor& in, cron_fields& to) {
  const auto begin = in.offset();
  if (in.peek() == '*') {
    const auto set = take_set(in, weekday_values);
    to.weekdays |= set.value_or(0);
    return set.has_value();
  }
  const auto from = take_value(in, weekday_values);
  if (!from)
    return false;
  if (in.take_letter('L')) {
    to.last_weekdays |= std::uint64_t{1} << *from % sunday;
    return true;
  }
  if (in.take('#')) {
    const auto n = take_small(in, 5, "a number from 1 to 5");
    if (n)
      to.nth_weekdays[*n - 1] |= std::uint64_t{1} << *from % sunday;
    return n.has_value();
  }
  const auto set = take_range(in, begin, *from, weekday_values);
  to.weekdays |= set.value_or(0);
  return set.has_value();
}

/// Bit 7 means bit 0.
std::uint64_t fold_sunday(std::uint64_t weekdays) {
  return (weekdays | weekdays >> sunday) & 0x7F;
}

bool take_day_field(text_cursor& in, cron_fields& to) {
  if (in.take('?')) {
    to.days = every(day_values.min, day_values.max, 1);
    return expect_end(in);
  }
  return take_list(
    in, [&to](text_cursor& item) { return take_day_item(item, to); });
}

bool take_weekday_field(text_cursor& in, cron_fields& to) {
  if (in.take('?')) {
    to.weekdays = every(0, sunday - 1, 1);
    return expect_end(in);
  }
  const bool taken = take_list(
    in, [&to](text_cursor& item) { return take_weekday_item(item, to); });
  to.weekdays = fold_sunday(to.weekdays);
  return taken;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

void skip_blanks(text_cursor& in) {
  while (is_blank(in.peek()))
    in.skip();
}

/// Returns the field that is next, and steps over it.
std::optional<text_cursor> take_field(text_cursor& in,
                                      const field_values& values) {
  skip_blanks(in);
  if (in.at_end())
    return in.fail(describe(values));
  const auto begin = in.offset();
  while (!in.at_end() && !is_blank(in.peek()))
    in.skip();
  return in.part(begin, in.offset());
}

bool read_plain_field(text_cursor& in, const field_values& values,
                      std::uint64_t& to) {
  auto field = take_field(in, values);
  if (!field)
    return false;
  const auto set = take_plain_field(*field, values);
  if (!set) {
    in.fail_like(*field);
    return false;
  }
  to = *set;
  return true;
}

bool read_day_field(text_cursor& in, const field_values& values,
                    bool (*take)(text_cursor&, cron_fields&), cron_fields& to) {
  auto field = take_field(in, values);
  if (!field)
    return false;
  if (take(*field, to))
    return true;
  in.fail_like(*field);
  return false;
}

std::optional<cron_fields> read_fields(text_cursor& in, bool five_fields,
                                       std::size_t& days_begin) {
  cron_fields result;
  result.seconds = 1;
  if (!five_fields && !read_plain_field(in, second_values, result.seconds))
    return std::nullopt;
  if (!read_plain_field(in, minute_values, result.minutes)
      || !read_plain_field(in, hour_values, result.hours))
    return std::nullopt;
  skip_blanks(in);
  days_begin = in.offset();
  if (!read_day_field(in, day_values, take_day_field, result)
      || !read_plain_field(in, month_values, result.months)
      || !read_day_field(in, weekday_values, take_weekday_field, result))
    return std::nullopt;
  skip_blanks(in);
  if (!in.at_end())
    return in.fail(five_fields ? "the end, since there are five fields"
                               : "the end, since there are six fields");
  return result;
}

constexpr std::pair<std::string_view, std::string_view> macros[] = {
  {"@YEARLY", "0 0 0 1 1 *"},  {"@ANNUALLY", "0 0 0 1 1 *"},
  {"@MONTHLY", "0 0 0 1 * *"}, {"@WEEKLY", "0 0 0 * * 0"},
  {"@DAILY", "0 0 0 * * *"},   {"@MIDNIGHT", "0 0 0 * * *"},
  {"@HOURLY", "0 0 * * * *"},
};

std::optional<cron_fields> read_macro(text_cursor& in) {
  std::string name;
  const auto begin = in.offset();
  for (; !in.at_end() && !is_blank(in.peek()); in.skip())
    name += upper(in.peek());
  const auto end = in.offset();
  skip_blanks(in);
  for (const auto& [macro, fields] : macros) {
    if (macro == name && in.at_end()) {
      text_cursor meaning{fields};
      std::size_t ignored = 0;
      return read_fields(meaning, false, ignored);
    }
  }
  auto whole = in.part(begin, end);
  whole.skip(end - begin);
  whole.fail_since(begin, "@yearly, @annually, @monthly, @weekly, @daily, "
                          "@midnight or @hourly");
  return in.fail_like(whole);
}

} // namespace

std::optional<cron_fields> parse_cron(text_cursor& in, bool five_fields,
                                      std::size_t& days_begin) {
  skip_blanks(in);
  days_begin = in.offset();
  return in.peek() == '@' ? read_macro(in)
                          : read_fields(in, five_fields, days_begin);
}

} // namespace gnomon::timers
