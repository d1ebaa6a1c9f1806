#include "schedule_file.hpp"

#include <gnomon/recurrence.hpp>
#include <istream>
#include <optional>
#include <string_view>

namespace reminders {

namespace {

/// A part of a line without the blanks around it, and where it begins.
struct part {
  std::string text;
  std::size_t column = 1;
};

constexpr const char* blanks = " \t\r";

part trim(std::string_view line, std::size_t begin, std::size_t end) {
  const auto first = line.find_first_not_of(blanks, begin);
  if (first == std::string_view::npos || first >= end)
    return {"", begin + 1};
  const auto last = line.find_last_not_of(blanks, end - 1);
  return {std::string{line.substr(first, last - first + 1)}, first + 1};
}

std::vector<part> split(std::string_view line) {
  std::vector<part> result;
  for (std::size_t begin = 0;;) {
    const auto bar
      = result.size() < 2 ? line.find('|', begin) : std::string_view::npos;
    result.push_back(trim(line, begin, std::min(bar, line.size())));
    if (bar == std::string_view::npos)
      return result;
    begin = bar + 1;
  }
}

std::optional<fault> check(std::size_t number, std::string_view line,
                           const std::vector<part>& parts,
                           gnomon::timestamp now) {
  if (parts.size() != 3)
    return fault{number, line.size() + 1,
                 "expected when | target | payload, but found "
                   + std::to_string(parts.size()) + " part(s)"};
  gnomon::parse_error where;
  if (!gnomon::recurrence::parse(parts[0].text, {}, now, &where))
    return fault{number, parts[0].column + where.offset,
                 "expected " + where.expected + ", but found " + where.found};
  if (parts[1].text.empty())
    return fault{number, parts[1].column, "expected a target, but found none"};
  return std::nullopt;
}

} // namespace

schedule read_schedule(std::istream& from, gnomon::timestamp now) {
  schedule result;
  std::size_t number = 0;
  for (std::string line; std::getline(from, line);) {
    ++number;
    const auto first = line.find_first_not_of(blanks);
    if (first == std::string::npos || line[first] == '#')
      continue;
    const auto parts = split(line);
    if (auto bad = check(number, line, parts, now))
      result.faults.push_back(std::move(*bad));
    else
      result.entries.push_back(
        {number, parts[0].text, parts[1].text, parts[2].text});
  }
  return result;
}

std::string name_of(const entry& what) {
  return "line-" + std::to_string(what.line);
}

gnomon::create_timer to_command(const entry& what) {
  return {.when = what.when,
          .target = what.target,
          .payload = what.payload,
          .name = name_of(what),
          .idempotency_key = name_of(what)};
}

} // namespace reminders
