// Reads the tables of tests/data and renders instants.

#pragma once

#include "gnomon/recurrence.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::test {

/// One row, by the names in the first line.
struct vector_row {
  std::map<std::string, std::string> cells;

  const std::string& operator[](const std::string& column) const {
    return cells.at(column);
  }
};

inline void PrintTo(const vector_row& row, std::ostream* out) {
  *out << row["id"] << " \"" << row["input"] << "\": " << row["note"];
}

/// Splits a line at commas outside of double quotes.
inline std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> result(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && in_quotes && line.substr(i, 2) == "\"\"")
      result.back() += line[i++];
    else if (line[i] == '"')
      in_quotes = !in_quotes;
    else if (line[i] == ',' && !in_quotes)
      result.emplace_back();
    else if (line[i] != '\r')
      result.back() += line[i];
  }
  return result;
}

inline std::vector<vector_row> read_vectors(const std::string& name) {
  std::ifstream in{std::string{GNOMON_TEST_DATA} + "/" + name};
  std::string line;
  std::getline(in, line);
  const auto columns = split_line(line);
  std::vector<vector_row> result;
  while (std::getline(in, line)) {
    auto cells = split_line(line);
    cells.resize(columns.size());
    auto& row = result.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i)
      row.cells[columns[i]] = cells[i];
  }
  return result;
}

/// Returns the instant that `text`, e.g., "2024-01-31T10:00:00Z", says.
inline timestamp at(std::string_view text) {
  const auto parsed = recurrence::parse(text, {}, timestamp{});
  if (!parsed) {
    ADD_FAILURE() << parsed.error().context;
    return {};
  }
  return parsed->first()->due;
}

/// Splits `text` at semicolons.
inline std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find(';', begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

/// Returns up to `count` due dates.
inline std::vector<timestamp> due_dates(const recurrence& rule,
                                        std::size_t count) {
  std::vector<timestamp> result;
  for (auto now = rule.first(); now && result.size() < count;
       now = rule.next(*now))
    result.push_back(now->due);
  return result;
}

/// Returns the instants of `texts`.
inline std::vector<timestamp> instants(const std::vector<std::string>& texts) {
  std::vector<timestamp> result;
  for (const auto& text : texts)
    result.push_back(at(text));
  return result;
}

/// Parses an expression that is expected to be right.
inline recurrence parsed(std::string_view expression,
                         std::string_view anchor = "2024-01-01T00:00:00Z",
                         const std::string& zone = "UTC") {
  recurrence_options options;
  options.default_zone = zone;
  auto rule = recurrence::parse(expression, options, at(anchor));
  EXPECT_TRUE(rule) << rule.error().context;
  return *rule;
}

} // namespace gnomon::test

namespace gnomon {

inline void PrintTo(const timestamp& when, std::ostream* out) {
  *out << when.value << " ms";
}

inline void PrintTo(const occurrence& what, std::ostream* out) {
  *out << "occurrence " << what.number << " at " << what.due.value << " ms";
}

} // namespace gnomon
