#include "tools/output.hpp"

#include "gnomon/check.hpp"
#include "tools/next.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <utility>

namespace gnomon::tools {

// -- text_table ---------------------------------------------------------------

text_table::text_table(const std::vector<std::string>& titles) {
  for (const auto& title : titles) {
    const auto is_right = title.starts_with('>');
    right_.push_back(is_right);
    titles_.push_back(is_right ? title.substr(1) : title);
  }
}

void text_table::add(std::vector<std::string> cells) {
  GNOMON_CHECK(cells.size() == titles_.size());
  rows_.push_back(std::move(cells));
}

void text_table::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (const auto& title : titles_)
    widths.push_back(columns_of(title));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  print_row(titles_, widths, out);
  for (const auto& row : rows_)
    print_row(row, widths, out);
}

void text_table::print_row(const std::vector<std::string>& cells,
                           const std::vector<std::size_t>& widths,
                           std::ostream& out) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string space(widths[i] - columns_of(cells[i]), ' ');
    line += right_[i] ? space + cells[i] : cells[i] + space;
    line += "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

// -- texts --------------------------------------------------------------------

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are controls, too: C2 80 to C2 9F.
    const auto is_control
      = byte < 0x20 || byte == 0x7F
        || (byte == 0xC2 && i + 1 < text.size()
            && static_cast<unsigned char>(text[i + 1]) < 0xA0);
    if (is_control && byte == 0xC2)
      ++i;
    result += is_control ? '?' : text[i];
  }
  return result;
}

std::string to_words(duration length) {
  struct unit {
    std::int64_t ms;
    const char* name;
  };
  constexpr std::array<unit, 5> units{{{86'400'000, "d"},
                                       {3'600'000, "h"},
                                       {60'000, "m"},
                                       {1'000, "s"},
                                       {1, "ms"}}};
  auto rest = length.count();
  if (rest < 0)
    return "-" + to_words(duration{saturating_sub(0, rest)});
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (rest < units[i].ms)
      continue;
    text = std::to_string(rest / units[i].ms) + units[i].name;
    rest %= units[i].ms;
    const auto has_second
      = i + 1 < units.size() && rest >= units[i + 1].ms && units[i + 1].ms > 1;
    if (has_second)
      text += " " + std::to_string(rest / units[i + 1].ms) + units[i + 1].name;
    return text;
  }
  return "0s";
}

std::string to_words(timestamp when, timestamp now) {
  return when > now ? "in " + to_words(when - now)
                    : to_words(now - when) + " ago";
}

std::string bytes_in_words(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto amount = static_cast<double>(bytes);
  while (amount >= 1024 && unit + 1 < units.size()) {
    amount /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s",
                amount, units[unit]);
  return text.data();
}

std::string to_text(const std::optional<timestamp>& when) {
  return when ? to_rfc3339(*when) : "-";
}

// -- JSON ---------------------------------------------------------------------

json key_as_json(key what) {
  return what ? json(std::to_string(what.value)) : json(nullptr);
}

json time_as_json(const std::optional<timestamp>& when) {
  return when ? json(to_rfc3339(*when)) : json(nullptr);
}

void print_json(const json& what, std::ostream& out, bool on_one_line) {
  out << what.dump(on_one_line ? -1 : 2, ' ', false,
                   json::error_handler_t::replace)
      << '\n';
}

} // namespace gnomon::tools
