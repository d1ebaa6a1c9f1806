#include "gnomon/timing_wheel.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace gnomon {

namespace {

constexpr auto never = timing_wheel::never;

using payloads = std::vector<std::uint64_t>;

/// Advances without limit and returns the payloads in order.
payloads advance(timing_wheel& wheel, std::uint64_t now) {
  payloads result;
  wheel.advance(now, never, [&](const expired_timer& timer) {
    result.push_back(timer.payload);
  });
  return result;
}

} // namespace

TEST(TimingWheel, ExpiresAtItsDueDateAndNotOneTickBefore) {
  timing_wheel wheel{{.start = 100}};
  wheel.schedule(150, 1);
  EXPECT_EQ(advance(wheel, 149), payloads{});
  EXPECT_EQ(advance(wheel, 150), payloads{1});
  EXPECT_TRUE(wheel.empty());
}

TEST(TimingWheel, KeepsSlotEdgesApartAtEveryLevel) {
  for (std::uint64_t start : {std::uint64_t{0}, std::uint64_t{12'345}}) {
    for (unsigned bits = 0; bits < 64; ++bits) {
      const auto edge = std::uint64_t{1} << bits;
      timing_wheel wheel{{.start = start}};
      for (std::uint64_t due : {edge - 1, edge, edge + 1})
        wheel.schedule(start + due, due);
      for (std::uint64_t due : {edge - 1, edge, edge + 1}) {
        EXPECT_EQ(wheel.next(), start + due);
        if (due > 0) {
          EXPECT_EQ(advance(wheel, start + due - 1), payloads{});
        }
        EXPECT_EQ(advance(wheel, start + due), payloads{due});
      }
    }
  }
}

TEST(TimingWheel, LetsWhatIsDueAlreadyExpireInTheNextAdvance) {
  timing_wheel wheel{{.start = 100}};
  wheel.schedule(100, 1);
  wheel.schedule(7, 2);
  wheel.schedule(0, 3);
  EXPECT_EQ(wheel.next(), 100u);
  EXPECT_EQ(wheel.size(), 3u);
  EXPECT_EQ(advance(wheel, 100), (payloads{1, 2, 3}));
}

TEST(TimingWheel, HasRoomForEveryDueDate) {
  constexpr auto signed_max = std::uint64_t{1} << 63;
  timing_wheel wheel{{.start = 1}};
  wheel.schedule(never, 3);
  wheel.schedule(signed_max - 1, 1);
  wheel.schedule_after(signed_max - 1, 2);
  EXPECT_EQ(advance(wheel, signed_max - 2), payloads{});
  EXPECT_EQ(advance(wheel, signed_max - 1), payloads{1});
  EXPECT_EQ(advance(wheel, signed_max), payloads{2});
  EXPECT_EQ(advance(wheel, never - 1), payloads{});
  EXPECT_EQ(advance(wheel, never), payloads{3});
}

TEST(TimingWheel, SaturatesDelays) {
  timing_wheel wheel{{.start = 1000}};
  wheel.schedule_after(never, 1);
  wheel.schedule_after(never - 1000, 2);
  EXPECT_EQ(wheel.next(), never);
  EXPECT_EQ(advance(wheel, never - 1), payloads{});
}

TEST(TimingWheel, ExpiresInOrderOfTicksAcrossAnyJump) {
  constexpr std::uint64_t day = 86'400'000;
  for (std::uint64_t jump : {std::uint64_t{5000}, 30 * day, 36'500 * day}) {
    timing_wheel wheel;
    payloads wanted;
    for (std::uint64_t i = 1; i <= 1000; ++i)
      wheel.schedule(jump - jump / 1000 * (i - 1), 1000 - i);
    for (std::uint64_t i = 0; i < 1000; ++i)
      wanted.push_back(i);
    EXPECT_EQ(advance(wheel, jump), wanted);
  }
}

TEST(TimingWheel, KeepsTheOrderOfSchedulingWithinATick) {
  timing_wheel wheel;
  payloads wanted;
  for (std::uint64_t i = 0; i < 100; ++i) {
    wheel.schedule(70'000, i);
    wanted.push_back(i);
    if (i % 25 == 0)
      advance(wheel, i * 900);
  }
  EXPECT_EQ(advance(wheel, 70'000), wanted);
}

TEST(TimingWheel, TakesTimeGoingBackAsStandingStill) {
  timing_wheel wheel{{.start = 1000}};
  wheel.schedule(900, 1);
  wheel.schedule(1001, 2);
  EXPECT_EQ(advance(wheel, 10), payloads{1});
  EXPECT_EQ(wheel.now(), 1000u);
  EXPECT_EQ(advance(wheel, 1001), payloads{2});
}

TEST(TimingWheel, RoundsUpToTheResolution) {
  for (std::uint64_t resolution : {1u, 7u, 100u, 1000u}) {
    for (std::uint64_t due = 5000; due < 5000 + 2 * resolution; ++due) {
      timing_wheel wheel{{.start = 4321, .resolution = resolution}};
      wheel.schedule(due, 1);
      const auto next = wheel.next();
      ASSERT_TRUE(next);
      EXPECT_GE(*next, due);
      EXPECT_LT(*next, due + resolution);
      EXPECT_EQ(advance(wheel, *next - 1), payloads{});
      EXPECT_EQ(advance(wheel, *next), payloads{1});
    }
  }
}

TEST(TimingWheel, NeverReachesATickBeyondTheEndOfTime) {
  timing_wheel wheel{{.start = never - 10, .resolution = 1000}};
  wheel.schedule(never, 1);
  EXPECT_EQ(wheel.next(), never);
  EXPECT_EQ(advance(wheel, never), payloads{});
}

TEST(TimingWheel, CancelsOnceAndByTheRightHandleOnly) {
  timing_wheel wheel;
  const auto first = wheel.schedule(10, 1);
  EXPECT_TRUE(wheel.contains(first));
  EXPECT_TRUE(wheel.cancel(first));
  EXPECT_FALSE(wheel.contains(first));
  EXPECT_FALSE(wheel.cancel(first));
  const auto second = wheel.schedule(10, 2);
  EXPECT_EQ(second.index, first.index);
  EXPECT_FALSE(wheel.cancel(first));
  EXPECT_EQ(advance(wheel, 10), payloads{2});
  EXPECT_FALSE(wheel.cancel(second));
  EXPECT_FALSE(wheel.cancel({}));
  EXPECT_FALSE(wheel.cancel({1, 4'000'000'000}));
}

TEST(TimingWheel, NeverWakesInVainWithoutCancels) {
  timing_wheel wheel;
  for (std::uint64_t i = 0; i < 1000; ++i)
    wheel.schedule(1 + i * i * i, i);
  std::uint64_t wakes = 0;
  for (; !wheel.empty(); ++wakes)
    ASSERT_EQ(advance(wheel, *wheel.next()), payloads{wakes});
  EXPECT_EQ(wakes, 1000u);
}

TEST(TimingWheel, WakesInVainAtMostOncePerCanceledMinimum) {
  timing_wheel wheel;
  const auto first = wheel.schedule(1'000'000, 1);
  wheel.schedule(1'000'001, 2);
  wheel.cancel(first);
  EXPECT_EQ(wheel.next(), 1'000'000u);
  EXPECT_EQ(advance(wheel, 1'000'000), payloads{});
  EXPECT_EQ(wheel.next(), 1'000'001u);
  EXPECT_EQ(advance(wheel, 1'000'001), payloads{2});
}

TEST(TimingWheelCallback, MayCancelLaterTimersOfTheSameBatch) {
  timing_wheel wheel;
  std::vector<timer_handle> handles;
  for (std::uint64_t i = 0; i < 40; ++i)
    handles.push_back(wheel.schedule(i < 30 ? 5 : 6, i));
  payloads seen;
  wheel.advance(6, never, [&](const expired_timer& timer) {
    seen.push_back(timer.payload);
    EXPECT_FALSE(wheel.cancel(timer.handle));
    for (auto i = timer.payload + 1; i < 39; ++i)
      wheel.cancel(handles[i]);
  });
  EXPECT_EQ(seen, (payloads{0, 39}));
  EXPECT_TRUE(wheel.empty());
}

TEST(TimingWheelCallback, ThatSchedulesAtNowIsNotCalledForItAtOnce) {
  timing_wheel wheel;
  wheel.schedule(5, 0);
  auto again = [&](const expired_timer& timer) {
    wheel.schedule(0, timer.payload + 1);
  };
  for (std::uint64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(wheel.advance(50, never, again).expired_count, 1u);
    EXPECT_EQ(wheel.next(), 50u);
  }
}

TEST(TimingWheelCallback, MayScheduleForTheRestOfTheJump) {
  timing_wheel wheel;
  payloads seen;
  wheel.schedule(5, 0);
  wheel.advance(50, never, [&](const expired_timer& timer) {
    seen.push_back(timer.payload);
    wheel.schedule(51, 7);
  });
  EXPECT_EQ(seen, payloads{0});
  EXPECT_EQ(advance(wheel, 51), payloads{7});
}

TEST(TimingWheelCallback, MayDestroyTheWheel) {
  auto wheel = std::make_unique<timing_wheel>();
  for (std::uint64_t i = 0; i < 50; ++i)
    wheel->schedule(5, i);
  int calls = 0;
  const auto outcome = wheel->advance(9, never, [&](const expired_timer&) {
    if (++calls == 3)
      wheel.reset();
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(outcome.expired_count, 3u);
  EXPECT_FALSE(outcome.more);
}

TEST(TimingWheelCallback, ThatThrowsLosesNoTimer) {
  timing_wheel wheel;
  for (std::uint64_t i = 0; i < 30; ++i)
    wheel.schedule(5, i);
  auto fail = [](const expired_timer& timer) {
    if (timer.payload == 12)
      throw std::runtime_error{"expected"};
  };
  EXPECT_THROW(wheel.advance(5, never, fail), std::runtime_error);
  EXPECT_EQ(wheel.size(), 17u);
  EXPECT_EQ(advance(wheel, 5).size(), 17u);
}

TEST(TimingWheel, MovesWithItsTimers) {
  timing_wheel source;
  const auto handle = source.schedule(5, 1);
  source.schedule(6, 2);
  timing_wheel target{std::move(source)};
  EXPECT_TRUE(target.cancel(handle));
  EXPECT_EQ(advance(target, 6), payloads{2});
}

} // namespace gnomon
