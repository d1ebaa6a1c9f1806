#include "timers/next_due_reference.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <sched.h>
#include <thread>

namespace gnomon::timers {

namespace {

/// Lets two threads begin each round together.
class starting_gun {
public:
  void wait(std::uint64_t round) {
    arrived_.fetch_add(1);
    // Both may have to share one processor.
    for (int spins = 0; arrived_.load() < 2 * round; ++spins)
      if (spins > 2000)
        std::this_thread::yield();
  }

private:
  alignas(64) std::atomic<std::uint64_t> arrived_{0};
};

/// Passes a moment, a longer one each time until it starts over.
void dawdle(std::uint64_t round, std::uint64_t longest) {
  std::atomic<std::uint64_t> i{0};
  while (i.load(std::memory_order_relaxed) < round % longest)
    i.store(i.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Keeps the calling thread on processor `number`, if there is one: two threads
/// that take turns on one processor would never meet.
void stay_on(unsigned number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number, &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

/// One cache line of what a commit writes.
struct alignas(64) line {
  std::atomic<std::uint64_t> value{0};
};

} // namespace

TEST(NextDueReference, TellsTheOneWhoMadeItSooner) {
  next_due_reference next;
  EXPECT_EQ(next.peek(), std::nullopt);
  EXPECT_TRUE(next.offer({100}));
  EXPECT_FALSE(next.offer({100}));
  EXPECT_FALSE(next.offer({101}));
  EXPECT_TRUE(next.offer({99}));
  EXPECT_EQ(next.peek(), timestamp{99});
}

TEST(NextDueReference, IsNoneOnceTaken) {
  next_due_reference next;
  next.offer({100});
  EXPECT_EQ(next.take(), timestamp{100});
  EXPECT_EQ(next.take(), std::nullopt);
  EXPECT_TRUE(next.offer({200}));
}

TEST(NextDueReference, MergesOffersWithinOneResolution) {
  next_due_reference next{duration{100}};
  EXPECT_TRUE(next.offer({1000}));
  EXPECT_FALSE(next.offer({901}));
  EXPECT_EQ(next.peek(), timestamp{1000});
  EXPECT_TRUE(next.offer({900}));
  EXPECT_EQ(next.peek(), timestamp{900});
}

TEST(NextDueReference, NeverAddsUpMergedDifferences) {
  next_due_reference next{duration{100}};
  next.offer({1000});
  for (std::int64_t due = 999; due > 900; --due)
    EXPECT_FALSE(next.offer({due}));
  EXPECT_TRUE(next.offer({900})) << "held is still compared with 1000";
}

TEST(NextDueReference, TakesAnythingWhenNoneIsHeld) {
  next_due_reference next{duration{60'000}};
  EXPECT_TRUE(next.offer({timestamp::max().value - 1}));
  EXPECT_TRUE(next.offer(timestamp::min()));
  EXPECT_EQ(next.peek(), timestamp::min());
}

TEST(NextDueReference, NeverHoldsTheEndOfTime) {
  next_due_reference next;
  EXPECT_FALSE(next.offer(timestamp::max()));
  EXPECT_EQ(next.peek(), std::nullopt);
}

TEST(NextDueReference, HoldsOffersAfterItWasWithdrawn) {
  next_due_reference next;
  next.offer({100});
  next.withdraw();
  EXPECT_EQ(next.peek(), std::nullopt);
  EXPECT_TRUE(next.offer({200}));
}

TEST(NextDueReference, EndsAtTheSoonestOfManyThreads) {
  for (int round = 0; round < 200; ++round) {
    next_due_reference next;
    std::atomic<int> wakes{0};
    auto offer_all = [&](std::int64_t first) {
      for (auto due = first; due > 0; due -= 2)
        if (next.offer({due}))
          ++wakes;
    };
    std::thread other{offer_all, 100};
    offer_all(101);
    other.join();
    ASSERT_EQ(next.peek(), timestamp{1});
    ASSERT_GE(wakes.load(), 1);
  }
}

// The handshake. A reference is held (sooner than what the writer will offer),
// so the writer changes nothing: all depends on the order of its look at the
// reference and its commit before.
TEST(NextDueReference, LosesNoEntryBetweenCommitAndScan) {
  constexpr std::uint64_t rounds = 100'000;
  alignas(64) next_due_reference next;
  // A commit of several lines takes a while to leave the store buffer.
  std::array<line, 24> commit;
  starting_gun begin;
  starting_gun end;
  std::uint64_t lost = 0;
  std::thread writer{[&] {
    stay_on(1);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      begin.wait(round);
      // Brings the word near, so that a plain load would be quick.
      next.peek();
      dawdle(round, 31);
      for (auto& part : commit)
        part.value.store(round, std::memory_order_relaxed);
      next.offer({100});
      end.wait(round);
    }
  }};
  std::thread scanner{[&] {
    stay_on(0);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      next.offer({50});
      for (auto& part : commit)
        part.value.store(0, std::memory_order_relaxed);
      begin.wait(round);
      dawdle(round, 1021);
      next.take();
      const auto seen = commit.back().value.load(std::memory_order_relaxed);
      end.wait(round);
      if (seen != round && next.peek() != timestamp{100})
        ++lost;
      next.take();
    }
  }};
  writer.join();
  scanner.join();
  EXPECT_EQ(lost, 0u);
}

// Taking while the same due date is offered over and over: an offer that was
// told "sooner" must never be missing afterwards (the ABA of a reference that
// is set, taken, and set to the same value again).
TEST(NextDueReference, TakesExactlyWhatWasOffered) {
  constexpr int rounds = 100'000;
  next_due_reference next;
  std::atomic<int> taken{0};
  std::atomic<bool> done{false};
  std::thread scanner{[&] {
    while (!done.load())
      if (next.take())
        ++taken;
  }};
  int made_sooner = 0;
  for (int i = 0; i < rounds; ++i)
    if (next.offer({100}))
      ++made_sooner;
  done.store(true);
  scanner.join();
  if (next.take())
    ++taken;
  EXPECT_EQ(taken.load(), made_sooner);
}

} // namespace gnomon::timers
