#include "tests/support/manual_clock.hpp"
#include "timers/yield_budget.hpp"

#include <gtest/gtest.h>

namespace gnomon::timers {

namespace {

using namespace std::chrono_literals;

} // namespace

TEST(YieldBudget, LastsUntilItsTimeIsUp) {
  testing::manual_clock clock;
  yield_budget budget{clock, {.time_max = 50ms}};
  clock.advance(49ms);
  EXPECT_TRUE(budget.spend());
  clock.advance(1ms);
  EXPECT_FALSE(budget.spend());
  EXPECT_TRUE(budget.spent());
}

TEST(YieldBudget, LastsUntilItsCountIsUp) {
  testing::manual_clock clock;
  yield_budget budget{clock, {.count_max = 3}};
  EXPECT_TRUE(budget.spend());
  EXPECT_TRUE(budget.spend());
  EXPECT_FALSE(budget.spend());
  EXPECT_EQ(budget.count(), 3u);
}

TEST(YieldBudget, NoticesTheFirstItemBehindItsTime) {
  testing::manual_clock clock;
  yield_budget budget{clock};
  int items = 0;
  do {
    ++items;
    clock.advance(items < 1000 ? 0ms : 10ms);
  } while (budget.spend());
  EXPECT_EQ(items, 1004);
}

TEST(YieldBudget, StartsAnewAfterRestart) {
  testing::manual_clock clock;
  yield_budget budget{clock, {.time_max = 50ms, .count_max = 1}};
  EXPECT_FALSE(budget.spend());
  clock.advance(50ms);
  budget.restart();
  EXPECT_FALSE(budget.spent());
  EXPECT_EQ(budget.count(), 0u);
}

TEST(YieldBudget, DoesNotCareForTheWallClock) {
  testing::manual_clock clock;
  yield_budget budget{clock};
  clock.step_wall(24h);
  EXPECT_TRUE(budget.spend());
}

} // namespace gnomon::timers
