// How much one call of a wheel does, and how much memory it takes.

#include "gnomon/timing_wheel.hpp"
#include "timers/timing_wheel_slots.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>
#include <vector>

namespace {

std::atomic<std::uint64_t> allocation_count{0};

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocation_count;
  const auto rounded = (size + alignment - 1) / alignment * alignment;
  if (auto* result = std::aligned_alloc(alignment, rounded))
    return result;
  std::abort();
}

} // namespace

void* operator new(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* pointer) noexcept {
  std::free(pointer);
}

void operator delete(void* pointer, std::size_t) noexcept {
  std::free(pointer);
}

void operator delete(void* pointer, std::align_val_t) noexcept {
  std::free(pointer);
}

void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
  std::free(pointer);
}

namespace gnomon {

namespace {

constexpr auto never = timing_wheel::never;

void ignore(const expired_timer&) {
  // nop
}

} // namespace

TEST(TimingWheelBudget, ExpiresExactlyThatManyOfOneTick) {
  constexpr std::uint64_t count = 100'000;
  timing_wheel wheel;
  for (std::uint64_t i = 0; i < count; ++i)
    wheel.schedule(40, i);
  std::uint64_t expected = 0;
  auto in_order = [&](const expired_timer& timer) {
    EXPECT_EQ(timer.payload, expected++);
  };
  for (std::uint64_t call = 1; call <= count / 1000; ++call) {
    const auto outcome = wheel.advance(40, 1000, in_order);
    ASSERT_EQ(outcome.expired_count, 1000u);
    ASSERT_EQ(outcome.more, call != count / 1000);
  }
  EXPECT_TRUE(wheel.empty());
}

TEST(TimingWheelBudget, BoundsWhatACallMovesToFinerLevels) {
  constexpr std::uint64_t count = 100'000;
  timing_wheel wheel;
  for (std::uint64_t i = 0; i < count; ++i)
    wheel.schedule(3'600'000 + i % 60'000, i);
  std::uint64_t calls = 0;
  std::uint64_t expired = 0;
  std::uint64_t last = 0;
  auto in_order = [&](const expired_timer& timer) {
    EXPECT_GE(timer.due, last);
    last = timer.due;
  };
  for (bool more = true; more; ++calls) {
    const auto outcome = wheel.advance(3'700'000, 1000, in_order);
    expired += outcome.expired_count;
    more = outcome.more;
  }
  EXPECT_EQ(expired, count);
  EXPECT_GE(calls, 2 * count / 1012) << "each was moved and expired";
  EXPECT_LE(calls, 5 * count / 1000);
}

TEST(TimingWheelBudget, OfZeroStillMakesProgress) {
  timing_wheel wheel;
  for (std::uint64_t i = 0; i < 100; ++i)
    wheel.schedule(5000, i);
  int calls = 0;
  for (; !wheel.empty(); ++calls)
    wheel.advance(5000, 0, ignore);
  EXPECT_LE(calls, 200);
}

TEST(TimingWheelBudget, LetsNewTimersInBetweenTwoParts) {
  timing_wheel wheel;
  for (std::uint64_t i = 0; i < 1000; ++i)
    wheel.schedule(5000 + i, i);
  EXPECT_TRUE(wheel.advance(5000, 20, ignore).more);
  EXPECT_EQ(wheel.next(), 5000u);
  wheel.schedule(5001, 7777);
  std::vector<std::uint64_t> seen;
  while (wheel
           .advance(
             5001, 20,
             [&](const expired_timer& timer) { seen.push_back(timer.payload); })
           .more)
    continue;
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], 0u);
  EXPECT_EQ(wheel.size(), 998u);
}

TEST(TimingWheelMemory, IsNotAllocatedInSteadyState) {
  constexpr std::size_t resident = 20'000;
  timing_wheel wheel;
  std::mt19937_64 random{1};
  std::vector<timer_handle> handles;
  for (std::size_t i = 0; i < resident; ++i)
    handles.push_back(wheel.schedule(1 + random() % 3'600'000, i));
  const auto memory = wheel.memory_bytes();
  const auto before = allocation_count.load();
  auto renew = [&](const expired_timer& timer) {
    const auto due = wheel.now() + 1 + random() % 3'600'000;
    handles[timer.payload] = wheel.schedule(due, timer.payload);
  };
  for (int step = 0; step < 20'000; ++step) {
    wheel.advance(*wheel.next(), 100, renew);
    const auto i = random() % resident;
    if (wheel.cancel(handles[i]))
      handles[i] = wheel.schedule_after(random() % 3'600'000, i);
  }
  EXPECT_EQ(allocation_count.load(), before);
  EXPECT_EQ(wheel.memory_bytes(), memory);
  EXPECT_EQ(wheel.size(), resident);
}

TEST(TimingWheelMemory, StaysFlatUnderRollingTimeouts) {
  constexpr std::size_t resident = 10'000;
  timing_wheel wheel;
  std::vector<timer_handle> handles(resident);
  for (std::size_t i = 0; i < resident; ++i)
    handles[i] = wheel.schedule_after(30'000, i);
  const auto memory = wheel.memory_bytes();
  std::uint64_t now = 0;
  for (std::size_t step = 0; step < 3'000'000; ++step) {
    auto& oldest = handles[step % resident];
    ASSERT_TRUE(wheel.cancel(oldest));
    oldest = wheel.schedule_after(30'000, step);
    if (step % 1000 == 0)
      wheel.advance(++now, never, ignore);
  }
  EXPECT_EQ(wheel.memory_bytes(), memory);
}

TEST(TimingWheelMemory, IsBoundedAfterAdverseCancels) {
  constexpr std::size_t count = 300'000;
  timing_wheel wheel;
  // All but one timer of each chunk are canceled, again and again.
  for (std::size_t round = 0; round < 12; ++round) {
    std::vector<timer_handle> handles;
    for (std::size_t i = 0; i < count; ++i)
      handles.push_back(wheel.schedule(1'000'000, i));
    for (std::size_t i = 0; i < count; ++i)
      if (i % 13 != 0)
        wheel.cancel(handles[i]);
  }
  const auto spare = 4 * (std::size_t{1} << 21);
  EXPECT_LE(wheel.memory_bytes(), 96 * (wheel.size() + count) + spare);
}

TEST(TimingWheelMemory, IsTakenAtOnceByReserve) {
  timing_wheel wheel;
  wheel.reserve(500'000);
  const auto memory = wheel.memory_bytes();
  const auto before = allocation_count.load();
  for (std::uint64_t i = 0; i < 500'000; ++i)
    wheel.schedule(i * 7919 % 3'600'000, i);
  while (!wheel.empty())
    wheel.advance(3'600'000, 1000, ignore);
  EXPECT_EQ(allocation_count.load(), before);
  EXPECT_EQ(wheel.memory_bytes(), memory);
}

TEST(TimingWheelMemory, OfANodeIsRetiredBeforeItsGenerationsRepeat) {
  detail::wheel_slots slots;
  const auto first = slots.acquire();
  slots.node(first).generation = 0xFFFF'FFFE;
  slots.release(first);
  const auto last_use = slots.acquire();
  EXPECT_EQ(last_use, first);
  EXPECT_EQ(slots.node(last_use).generation, 0xFFFF'FFFF);
  slots.release(last_use);
  EXPECT_NE(slots.acquire(), first);
}

} // namespace gnomon
