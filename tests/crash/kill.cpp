// Runs a kill loop on demand: kill [--kills N] [--seed S]

#include "tests/crash/kill_loop.hpp"
#include "tests/simulation/scratch.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

using namespace gnomon::crash;

namespace {

bool read_arguments(int argc, char** argv, kill_options& to) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--kills")
      to.kills = value;
    else if (name == "--seed")
      to.seed = value;
    else
      return false;
  }
  return argc % 2 == 1 && to.kills > 0;
}

} // namespace

int main(int argc, char** argv) {
  kill_options options;
  options.show_progress = true;
  if (!read_arguments(argc, argv, options)) {
    std::cerr << "Usage: kill [--kills N] [--seed S]\n";
    return 2;
  }
  const gnomon::simulation::scratch_directory scratch{"-kill"};
  options.directory = scratch.location();
  const auto outcome = run_kill_loop(options);
  if (!outcome.fault.empty())
    std::cout << outcome.fault << '\n';
  std::cout << "kills=" << outcome.kills
            << " acknowledged=" << outcome.acknowledged
            << " seed=" << options.seed
            << " lost=" << (outcome.fault.empty() ? "none" : "see above")
            << std::endl;
  return outcome.fault.empty() ? 0 : 1;
}
