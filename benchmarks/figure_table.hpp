// What was reached and what was wanted, one plain row per figure.

#pragma once

#include <string>
#include <string_view>

namespace gnomon::benchmarks {

/// Prints rows `name | reached | wanted | ok` to standard output as they come;
/// the last word is `ok` or `short`. Rows of figures without a target end in
/// `-`.
class figure_table {
public:
  figure_table();

  /// Prints a figure that should be `wanted` or less.
  void at_most(std::string_view name, double reached, double wanted,
               std::string_view unit);

  /// Prints a figure that should be `wanted` or more.
  void at_least(std::string_view name, double reached, double wanted,
                std::string_view unit);

  /// Prints a figure for comparison only.
  void show(std::string_view name, double reached, std::string_view unit);

  /// Prints that a figure cannot be had, and why.
  void not_available(std::string_view name, std::string_view reason);

  /// Returns 0 if no row was short, as a program's exit status.
  int status() const {
    return short_count_ == 0 ? 0 : 1;
  }

private:
  void judge(std::string_view name, double reached, const std::string& wanted,
             std::string_view unit, bool ok);

  int short_count_ = 0;
};

} // namespace gnomon::benchmarks
