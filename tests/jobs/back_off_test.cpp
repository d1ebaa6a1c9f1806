#include "jobs/back_off.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace gnomon::testing {

namespace {

using jobs::back_off_fault;
using jobs::delay_ms_after;

constexpr auto int64_max = std::numeric_limits<std::int64_t>::max();
constexpr auto uint32_max = std::numeric_limits<std::uint32_t>::max();

v1::BackOff policy(std::int64_t initial_ms, std::uint32_t factor,
                   std::int64_t max_ms = 0, std::uint32_t jitter_percent = 0) {
  v1::BackOff result;
  result.set_initial_ms(initial_ms);
  result.set_factor(factor);
  result.set_max_ms(max_ms);
  result.set_jitter_percent(jitter_percent);
  return result;
}

} // namespace

TEST(BackOff, StaysTheSameIfFixed) {
  for (const std::uint32_t factor : {0u, 1u})
    for (const std::uint32_t failures : {1u, 2u, 100u, uint32_max})
      EXPECT_EQ(delay_ms_after(policy(700, factor), failures, 7, 1'000), 700);
}

TEST(BackOff, GrowsByItsFactorUpToItsCap) {
  const auto doubled = policy(100, 2, 1'000);
  const std::int64_t expected[] = {100, 200, 400, 800, 1'000, 1'000};
  for (std::uint32_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(delay_ms_after(doubled, i + 1, 7, int64_max), expected[i]);
  EXPECT_EQ(delay_ms_after(policy(100, 3), 3, 7, int64_max), 900);
}

TEST(BackOff, ReachesItsCapExactly) {
  EXPECT_EQ(delay_ms_after(policy(100, 2, 800), 4, 7, int64_max), 800);
  EXPECT_EQ(delay_ms_after(policy(100, 2, 799), 4, 7, int64_max), 799);
  EXPECT_EQ(delay_ms_after(policy(100, 2, 801), 4, 7, int64_max), 800);
}

TEST(BackOff, IsBoundedByTheLimitOfThePartition) {
  EXPECT_EQ(delay_ms_after(policy(100, 2, 5'000), 9, 7, 300), 300);
  EXPECT_EQ(delay_ms_after(policy(100, 2), 9, 7, 300), 300);
}

TEST(BackOff, SaturatesAtExtremes) {
  for (const std::uint32_t failures : {64u, 65u, 1'000u, uint32_max}) {
    EXPECT_EQ(delay_ms_after(policy(1, 2), failures, 7, int64_max), int64_max);
    EXPECT_EQ(
      delay_ms_after(policy(int64_max, uint32_max), failures, 7, int64_max),
      int64_max);
    EXPECT_EQ(delay_ms_after(policy(0, uint32_max), failures, 7, int64_max), 0);
  }
  const auto jittered = policy(int64_max, 2, 0, 100);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto delay = delay_ms_after(jittered, uint32_max, seed, int64_max);
    EXPECT_GE(delay, 0);
    EXPECT_LE(delay, int64_max);
  }
}

TEST(BackOff, TakesJitterOffWithinItsShare) {
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    const auto delay
      = delay_ms_after(policy(1'000, 1, 0, 20), 1, seed, int64_max);
    EXPECT_GE(delay, 800);
    EXPECT_LE(delay, 1'000);
    seen.insert(delay);
  }
  // Both ends, and most of what lies between.
  EXPECT_EQ(*seen.begin(), 800);
  EXPECT_EQ(*seen.rbegin(), 1'000);
  EXPECT_GT(seen.size(), 150u);
}

TEST(BackOff, DrawsAnewForEachFailureAndAlikeForTheSame) {
  const auto jittered = policy(1'000'000, 1, 0, 50);
  const auto first = delay_ms_after(jittered, 1, 7, int64_max);
  EXPECT_NE(first, delay_ms_after(jittered, 2, 7, int64_max));
  EXPECT_NE(first, delay_ms_after(jittered, 1, 8, int64_max));
  EXPECT_EQ(first, delay_ms_after(jittered, 1, 7, int64_max));
  // The same on every machine and in every build.
  EXPECT_EQ(first, 558'763);
}

TEST(BackOff, IsCheckedAtBothEnds) {
  EXPECT_FALSE(back_off_fault(policy(0, 0), 1'000));
  EXPECT_FALSE(back_off_fault(policy(1'000, uint32_max, 1'000, 100), 1'000));
  EXPECT_TRUE(back_off_fault(policy(-1, 2), 1'000));
  EXPECT_TRUE(back_off_fault(policy(1'001, 2), 1'000));
  EXPECT_TRUE(back_off_fault(policy(1, 2, -1), 1'000));
  EXPECT_TRUE(back_off_fault(policy(1, 2, 1'001), 1'000));
  EXPECT_TRUE(back_off_fault(policy(1, 2, 1, 101), 1'000));
}

} // namespace gnomon::testing
