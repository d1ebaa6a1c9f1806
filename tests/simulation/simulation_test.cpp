#include "tests/simulation/scratch.hpp"
#include "tests/simulation/series.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gnomon::simulation {

namespace {

// Each case is a process of its own for ctest, so that they run side by side.
constexpr std::uint64_t cases = 20;
constexpr std::uint64_t seeds_per_case = GNOMON_SIMULATION_SEEDS / cases;

class Simulation : public ::testing::TestWithParam<std::uint64_t> {};

} // namespace

TEST_P(Simulation, KeepsEveryInvariant) {
  series_options options;
  options.first_seed = 1 + GetParam() * seeds_per_case;
  options.count = seeds_per_case;
  options.threads = 1;
  const auto outcome = run_series(options);
  for (const auto& failure : outcome.failures)
    ADD_FAILURE() << failure;
  EXPECT_EQ(outcome.runs, seeds_per_case);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Simulation, ::testing::Range(0ul, cases));

TEST(SimulationRun, IsTheSameForTheSameSeed) {
  const scratch_directory scratch{"-same"};
  const auto first = simulate(7, scratch.location());
  const auto again = simulate(7, scratch.location());
  const auto other = simulate(8, scratch.location());
  EXPECT_GT(first.records, 0u);
  EXPECT_EQ(first.hash, again.hash);
  EXPECT_NE(first.hash, other.hash);
}

TEST(FaultPlan, ShrinksToTheFaultsThatAFailureNeeds) {
  fault_plan plan;
  for (std::uint64_t step = 1; step <= 6; ++step)
    plan.push_back({step, fault_kind::kill, 0, 0});
  const auto fails = [](const fault_plan& some) {
    const auto has = [&](std::uint64_t step) {
      return std::ranges::find(some, step, &planned_fault::at_step)
             != some.end();
    };
    return has(2) && has(5);
  };
  EXPECT_EQ(shrink(plan, fails), (fault_plan{plan[1], plan[4]}));
}

} // namespace gnomon::simulation
