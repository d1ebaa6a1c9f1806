// How the commands print: columns for people, JSON for programmes.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/timestamp.hpp"

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::tools {

using json = nlohmann::ordered_json;

/// Rows of text with aligned columns.
class text_table {
public:
  /// Columns whose title begins with '>' stand at the right; the sign is not
  /// printed.
  explicit text_table(const std::vector<std::string>& titles);

  /// Adds a row. @pre As many cells as there are titles.
  void add(std::vector<std::string> cells);

  bool empty() const {
    return rows_.empty();
  }

  void print(std::ostream& out) const;

private:
  void print_row(const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths,
                 std::ostream& out) const;

  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns how many columns of a terminal `text`, UTF-8, takes.
std::size_t columns_of(std::string_view text);

/// Returns `text` on one line without what a terminal would obey.
std::string printable(std::string_view text);

/// Returns, e.g., "3d 4h" or "250ms": the two largest units.
std::string to_words(duration length);

/// Returns, e.g., "in 3d 4h" or "5s ago".
std::string to_words(timestamp when, timestamp now);

/// Returns, e.g., "12.5 MiB".
std::string bytes_in_words(std::uint64_t bytes);

/// Returns `when` as RFC 3339 in UTC, or "-".
std::string to_text(const std::optional<timestamp>& when);

/// Keys have 64 bits, more than many readers of JSON keep of a number.
json key_as_json(key what);

/// Returns `when` as RFC 3339 in UTC, or null.
json time_as_json(const std::optional<timestamp>& when);

/// Prints `what` and ends the line. Bytes that are no UTF-8 are replaced.
void print_json(const json& what, std::ostream& out, bool on_one_line = false);

} // namespace gnomon::tools
