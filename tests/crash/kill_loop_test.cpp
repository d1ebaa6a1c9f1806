#include "tests/crash/kill_loop.hpp"
#include "tests/simulation/scratch.hpp"

#include <gtest/gtest.h>

namespace gnomon::crash {

namespace {

class KillLoop : public ::testing::TestWithParam<std::uint64_t> {};

} // namespace

// Several loops side by side are 300 kills.
TEST_P(KillLoop, LosesNothingAcknowledgedAndTriggersEachOnce) {
  const simulation::scratch_directory scratch{"-kill-loop"};
  const auto outcome
    = run_kill_loop({.directory = scratch.location(), .seed = GetParam()});
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.kills, 100u);
  // However slow the machine is, some lives are long enough for some work.
  EXPECT_GT(outcome.acknowledged, outcome.kills);
  RecordProperty("acknowledged", std::to_string(outcome.acknowledged));
}

INSTANTIATE_TEST_SUITE_P(Seeds, KillLoop, ::testing::Range(1ul, 4ul));

} // namespace gnomon::crash
