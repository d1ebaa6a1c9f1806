#include "tools/next.hpp"

#include "gnomon/recurrence.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string_view>

namespace gnomon::tools {

namespace {

constexpr std::size_t expression_bytes_max = 200;

/// Returns how many columns the first `bytes` bytes of `text` take.
std::size_t columns(std::string_view text, std::size_t bytes) {
  std::size_t result = 0;
  for (const char c : text.substr(0, bytes))
    // Bytes that go on with a character take no column.
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
      ++result;
  return result;
}

/// Prints a line that stays one line whatever the expression holds.
void print_line(std::string_view text, std::ostream& errors) {
  for (const char c : text)
    errors << (static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c);
  errors << '\n';
}

void print_fault(std::string_view expression, const parse_error& fault,
                 std::ostream& errors) {
  // The caret must stay in sight of what is printed.
  const auto begin = fault.offset > expression_bytes_max / 2
                       ? fault.offset - expression_bytes_max / 2
                       : 0;
  const auto shown = expression.substr(begin, expression_bytes_max);
  print_line(shown, errors);
  errors << std::string(columns(shown, fault.offset - begin), ' ') << "^\n"
         << "expected " << fault.expected << ", but found " << fault.found
         << '\n';
}

/// Says whether `text` means an instant, whatever it is anchored at.
bool is_date(const std::string& text, timestamp due) {
  const auto again = recurrence::parse(text, {}, timestamp{1});
  return again && text[0] != 'R' && !again->repeats()
         && again->first()->due == due;
}

/// Returns the instant that `text` says, if it is a date.
std::optional<timestamp> read_from(const std::string& text,
                                   std::ostream& errors) {
  parse_error fault{0, "\"" + text + "\"", "a date like 2024-01-31T10:00:00Z"};
  const auto date = recurrence::parse(text, {}, timestamp{}, &fault);
  const auto first = date ? date->first() : std::nullopt;
  if (first && is_date(text, first->due))
    return first->due;
  errors << "--from:\n";
  print_fault(text, fault, errors);
  return std::nullopt;
}

/// A zone is good if an expression that needs none parses with it.
bool check_zone(const recurrence_options& options, std::ostream& errors) {
  parse_error fault;
  if (recurrence::parse("PT0S", options, timestamp{}, &fault))
    return true;
  errors << "--zone: expected " << fault.expected << ", but found "
         << fault.found << '\n';
  return false;
}

void print_due_dates(const recurrence& rule, std::size_t count,
                     std::ostream& out) {
  auto current = rule.first();
  for (std::size_t i = 0; i < count; ++i) {
    if (!current) {
      out << "none\n";
      return;
    }
    out << to_rfc3339(current->due) << '\n';
    current = rule.next(*current);
  }
}

} // namespace

int run_next(const next_request& request, timestamp now, std::ostream& out,
             std::ostream& errors) {
  const recurrence_options options{request.zone, request.cron_five_fields};
  if (!check_zone(options, errors))
    return exit_bad_input;
  const auto from = request.from.empty() ? std::optional{now}
                                         : read_from(request.from, errors);
  if (!from)
    return exit_bad_input;
  parse_error fault;
  const auto rule
    = recurrence::parse(request.expression, options, *from, &fault);
  if (!rule) {
    print_fault(request.expression, fault, errors);
    return exit_bad_input;
  }
  print_due_dates(*rule, request.count, out);
  return exit_success;
}

std::string to_rfc3339(timestamp when) {
  using namespace std::chrono;
  // std::chrono has too few years; the calendar repeats after 400 of them.
  constexpr std::int64_t cycle_ms = 146'097LL * 86'400'000;
  auto rest = when.value % cycle_ms;
  rest += rest < 0 ? cycle_ms : 0;
  // Dividing first keeps the difference within its type.
  const auto cycles = when.value / cycle_ms - (when.value % cycle_ms < 0);
  const auto day = floor<days>(milliseconds{rest});
  const year_month_day date{sys_days{day}};
  const hh_mm_ss time{milliseconds{rest} - day};
  const long long year = static_cast<int>(date.year()) + cycles * 400;
  std::array<char, 64> text{};
  const char* sign = year > 9999 ? "+" : year < 0 ? "-" : "";
  std::snprintf(
    text.data(), text.size(), "%s%04lld-%02u-%02uT%02d:%02d:%02d.%03dZ", sign,
    std::llabs(year), static_cast<unsigned>(date.month()),
    static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
    static_cast<int>(time.minutes().count()),
    static_cast<int>(time.seconds().count()),
    static_cast<int>(time.subseconds().count()));
  return text.data();
}

} // namespace gnomon::tools
