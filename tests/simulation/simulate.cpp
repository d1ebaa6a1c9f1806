// Runs simulations on demand: simulate --seeds N [--seed S] [--threads T]

#include "tests/simulation/scratch.hpp"
#include "tests/simulation/series.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

using namespace gnomon::simulation;

namespace {

bool read_arguments(int argc, char** argv, series_options& to) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--seeds")
      to.count = value;
    else if (name == "--seed")
      to.first_seed = value;
    else if (name == "--threads")
      to.threads = static_cast<unsigned>(value);
    else
      return false;
  }
  return argc % 2 == 1 && to.count > 0 && to.threads > 0;
}

} // namespace

int main(int argc, char** argv) {
  series_options options;
  options.show_progress = true;
  if (!read_arguments(argc, argv, options)) {
    std::cerr << "Usage: simulate [--seeds N] [--seed S] [--threads T]\n";
    return 2;
  }
  const auto outcome = run_series(options);
  for (const auto& report : outcome.failures)
    std::cout << report << '\n';
  std::cout << to_string(outcome) << std::endl;
  return outcome.failures.empty() ? 0 : 1;
}
