#include "tests/support/manual_clock.hpp"
#include "timers/partition_clock.hpp"

#include <gtest/gtest.h>

namespace gnomon::timers {

namespace {

using namespace std::chrono_literals;

constexpr timestamp start{1'704'067'200'000};
constexpr timestamp year_2098{4'039'372'800'000};

struct PartitionClock : ::testing::Test {
  testing::manual_clock source{start};
  partition_clock clock{source};

  partition_clock::reading at(timestamp now) const {
    return {now, false};
  }

  partition_clock::reading held_at(timestamp now) const {
    return {now, true};
  }
};

} // namespace

TEST_F(PartitionClock, FollowsTheWallClock) {
  EXPECT_EQ(clock.read(), at(start));
  source.advance(1ms);
  EXPECT_EQ(clock.read(), at(start + 1ms));
}

TEST_F(PartitionClock, StandsStillWhileTheWallClockIsBack) {
  for (duration step : {duration{1ms}, duration{1h}, duration{24h * 30}}) {
    testing::manual_clock wall{start};
    partition_clock time{wall};
    time.read();
    wall.step_wall(-step);
    EXPECT_EQ(time.read(), at(start));
    wall.advance(step);
    EXPECT_EQ(time.read(), at(start));
    wall.advance(1ms);
    EXPECT_EQ(time.read(), at(start + 1ms));
  }
}

TEST_F(PartitionClock, AcceptsTheReturnOfAWallClockThatWasBackForLong) {
  clock.read();
  source.step_wall(-30 * 24h);
  for (int day = 0; day < 10; ++day) {
    source.advance(24h);
    EXPECT_EQ(clock.read(), at(start));
  }
  source.step_wall(30 * 24h);
  EXPECT_EQ(clock.read(), at(start + 10 * 24h));
}

TEST_F(PartitionClock, AcceptsAStepOfTheMaximumButNotOneMore) {
  clock.read();
  source.step_wall(24h);
  EXPECT_EQ(clock.read(), at(start + 24h));
  source.step_wall(24h + 1ms);
  EXPECT_EQ(clock.read(), held_at(start + 24h));
}

TEST_F(PartitionClock, MeasuresStepsBeyondTheMonotonicClock) {
  clock.read();
  source.advance(30 * 24h);
  EXPECT_EQ(clock.read(), at(start + 30 * 24h)) << "suspended, not stepped";
}

TEST_F(PartitionClock, ForgetsASlipOfACentury) {
  clock.read();
  source.set_wall(year_2098);
  EXPECT_EQ(clock.read(), held_at(start));
  source.advance(1min);
  EXPECT_EQ(clock.read(), held_at(start));
  source.set_wall(start + 1min);
  EXPECT_EQ(clock.read(), at(start + 1min));
}

TEST_F(PartitionClock, BelievesAStepThatStaysConsistent) {
  clock.read();
  source.step_wall(30 * 24h);
  EXPECT_TRUE(clock.read().suspect);
  source.advance(5min - 1ms);
  EXPECT_EQ(clock.read(), held_at(start));
  source.advance(1ms);
  EXPECT_EQ(clock.read(), at(start + 30 * 24h + 5min));
  source.advance(1ms);
  EXPECT_FALSE(clock.read().suspect);
}

TEST_F(PartitionClock, StartsOverWhenASuspectClockStepsAgain) {
  clock.read();
  source.step_wall(30 * 24h);
  clock.read();
  source.advance(4min);
  source.step_wall(11s);
  EXPECT_TRUE(clock.read().suspect);
  source.advance(4min);
  EXPECT_TRUE(clock.read().suspect);
  source.advance(1min);
  EXPECT_FALSE(clock.read().suspect);
}

TEST_F(PartitionClock, ToleratesSmallCorrectionsWhileSuspect) {
  clock.read();
  source.step_wall(30 * 24h);
  clock.read();
  source.advance(4min);
  source.step_wall(10s);
  clock.read();
  source.advance(1min);
  EXPECT_FALSE(clock.read().suspect);
}

TEST_F(PartitionClock, DoesNotBelieveASecondSlipForTheFirst) {
  clock.read();
  source.set_wall(year_2098);
  clock.read();
  source.set_wall(start);
  EXPECT_FALSE(clock.read().suspect);
  source.advance(10min);
  source.set_wall(year_2098);
  EXPECT_TRUE(clock.read().suspect);
}

TEST_F(PartitionClock, TakesTheWordOfAnOperator) {
  clock.read();
  source.set_wall(year_2098);
  EXPECT_TRUE(clock.read().suspect);
  clock.confirm();
  EXPECT_EQ(clock.read(), at(year_2098));
}

TEST_F(PartitionClock, TakesDowntimeForGranted) {
  clock.restore({0});
  EXPECT_EQ(clock.read(), at(start)) << "half a century of downtime";
}

TEST_F(PartitionClock, DoesNotGoBehindTheLog) {
  clock.restore(start + 1h);
  clock.restore(start);
  EXPECT_EQ(clock.read(), at(start + 1h));
  source.advance(1h + 1ms);
  EXPECT_EQ(clock.read(), at(start + 1h + 1ms));
}

TEST_F(PartitionClock, SurvivesABootWithoutAClock) {
  source.set_wall({0});
  clock.restore(start);
  EXPECT_EQ(clock.read(), at(start));
  source.advance(20s);
  EXPECT_EQ(clock.read(), at(start));
  source.set_wall(start + 2h);
  EXPECT_EQ(clock.read(), at(start + 2h)) << "two hours of downtime";
}

TEST_F(PartitionClock, HoldsWhenAFrozenWallClockLeapsAhead) {
  clock.read();
  source.advance_monotonic(48h);
  EXPECT_EQ(clock.read(), at(start));
  source.step_wall(48h);
  EXPECT_TRUE(clock.read().suspect);
  source.advance(5min);
  EXPECT_EQ(clock.read(), at(start + 48h + 5min));
}

TEST_F(PartitionClock, SurvivesTheEndsOfTime) {
  clock.read();
  source.set_wall(timestamp::max());
  EXPECT_EQ(clock.read(), held_at(start));
  source.set_wall(timestamp::min());
  EXPECT_EQ(clock.read(), at(start));
}

} // namespace gnomon::timers
