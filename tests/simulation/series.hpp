// Many runs, one for each seed.

#pragma once

#include "tests/simulation/simulation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::simulation {

struct series_options {
  std::uint64_t first_seed = 1;
  std::uint64_t count = 1'000;
  unsigned threads = 2;

  /// Of so many seeds, one runs twice and must do the same.
  std::uint64_t repeat_one_of = 100;

  /// The series ends after so many failures.
  std::size_t failures_max = 5;

  /// Tells on stderr how far it is.
  bool show_progress = false;
};

struct series_outcome {
  std::uint64_t first_seed = 0;
  std::uint64_t runs = 0;
  double seconds = 0;
  std::uint64_t records = 0;

  /// Of all runs, whatever their order.
  std::uint64_t hash = 0;

  /// What an operator needs to see each again: seed, breach, shortest faults.
  std::vector<std::string> failures;
};

series_outcome run_series(const series_options& options);

/// Renders one line: `simulated runs=… seeds=a..b failures=… rate=…/s hash=…`.
std::string to_string(const series_outcome& outcome);

} // namespace gnomon::simulation
