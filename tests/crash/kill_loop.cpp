#include "tests/crash/kill_loop.hpp"

#include "tests/crash/child_process.hpp"
#include "tests/crash/crash_options.hpp"
#include "tests/support/seeded_random.hpp"

#include <cmath>
#include <cstdio>

namespace gnomon::crash {

namespace {

constexpr double shortest_ms = 5;
constexpr double longest_ms = 500;

duration draw_life(test::seeded_random& random) {
  const auto share = static_cast<double>(random.below(1'000'000)) / 1e6;
  return duration{static_cast<std::int64_t>(
    shortest_ms * std::pow(longest_ms / shortest_ms, share))};
}

void run_once(const std::filesystem::path& directory, duration life,
              acknowledged_outcomes& acknowledged) {
  test::child_process process{{GNOMON_LOAD_PROCESS, directory.string()}};
  process.kill_after(life);
  // What it printed before its end was acknowledged.
  for (auto line = process.read_line(); !line.empty();
       line = process.read_line())
    note(line, acknowledged);
}

} // namespace

kill_outcome run_kill_loop(const kill_options& options) {
  test::seeded_random random{options.seed};
  acknowledged_outcomes acknowledged;
  kill_outcome outcome;
  while (outcome.kills < options.kills && outcome.fault.empty()) {
    run_once(options.directory, draw_life(random), acknowledged);
    ++outcome.kills;
    if (outcome.kills % options.kills_per_judgement != 0
        && outcome.kills != options.kills)
      continue;
    outcome.fault = judge(crash_options(options.directory), acknowledged);
    if (options.show_progress)
      std::fprintf(stderr, "%zu of %zu kills, %zu acknowledged\n",
                   outcome.kills, options.kills, acknowledged.size());
  }
  outcome.acknowledged = acknowledged.size();
  return outcome;
}

} // namespace gnomon::crash
