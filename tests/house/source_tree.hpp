// The sources of this project as text, for tests of the house rules.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gnomon::house {

/// One source file.
struct source {
  /// From the root of the project, with forward slashes.
  std::string name;

  /// First part of the name, e.g., "storage".
  std::string room;

  std::vector<std::string> lines;

  bool is_header() const;

  /// Returns what it includes, without quotes or brackets.
  std::vector<std::string> includes() const;
};

/// Returns all C++ sources of the project, sorted by name.
std::vector<source> all_sources();

/// Returns those below `room`.
std::vector<source> sources_of(const std::string& room);

} // namespace gnomon::house
