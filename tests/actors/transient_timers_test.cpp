#include "gnomon/transient_timers.hpp"
#include "tests/support/deterministic.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

class TransientTimers : public ::testing::Test, public test::deterministic {
protected:
  TransientTimers()
    : deterministic(&host::register_messages),
      timers(std::make_unique<transient_timers>(
        sys, transient_timers_options{.timers_per_turn_max = 10})) {
    receiver = sys.spawn([this]() -> caf::behavior {
      return {[this](std::uint64_t number) {
        received.push_back(number);
      }};
    });
    // Ticks are those of the clock; let tests begin with one.
    advance(1ms - sys.clock().now().time_since_epoch() % 1ms);
  }

  ~TransientTimers() override {
    caf::anon_send_exit(receiver, caf::exit_reason::user_shutdown);
    receiver = nullptr;
    timers = nullptr;
    dispatch_messages();
  }

  timer_handle schedule(caf::timespan delay, std::uint64_t number) {
    const auto handle = timers->schedule(delay, receiver, number);
    dispatch_messages();
    return handle;
  }

  void advance(caf::timespan by) {
    advance_time(by);
    dispatch_messages();
  }

  using numbers = std::vector<std::uint64_t>;

  std::unique_ptr<transient_timers> timers;
  caf::actor receiver;
  numbers received;
};

} // namespace

TEST_F(TransientTimers, SendExactlyWhenTheDelayIsOver) {
  schedule(1h, 1);
  advance(1h - 1ns);
  EXPECT_TRUE(received.empty());
  advance(1ns);
  EXPECT_EQ(received, (numbers{1}));
  EXPECT_EQ(timers->size(), 0u);
}

TEST_F(TransientTimers, RoundPartsOfTheResolutionUp) {
  schedule(1ms + 1ns, 1);
  advance(2ms - 1ns);
  EXPECT_TRUE(received.empty());
  advance(1ns);
  EXPECT_EQ(received, (numbers{1}));
}

TEST_F(TransientTimers, SendWithoutDelayButNotInTheCall) {
  timers->schedule(0ns, receiver, std::uint64_t{1});
  timers->schedule(-1h, receiver, std::uint64_t{2});
  EXPECT_TRUE(received.empty());
  dispatch_messages();
  EXPECT_EQ(received, (numbers{1, 2}));
}

TEST_F(TransientTimers, NeverSendBeyondTheEndOfTime) {
  schedule(caf::timespan::max(), 1);
  advance(24h * 365);
  EXPECT_TRUE(received.empty());
  EXPECT_EQ(timers->size(), 1u);
}

TEST_F(TransientTimers, SendInTheOrderOfTheirDueDates) {
  for (std::uint64_t number : {5, 3, 4, 1, 2})
    schedule(number * 10ms, number);
  advance(1s);
  EXPECT_EQ(received, (numbers{1, 2, 3, 4, 5}));
}

TEST_F(TransientTimers, WakeUpSoonerForASoonerOne) {
  schedule(1h, 2);
  schedule(5ms, 1);
  advance(5ms);
  EXPECT_EQ(received, (numbers{1}));
  advance(1h - 5ms);
  EXPECT_EQ(received, (numbers{1, 2}));
}

TEST_F(TransientTimers, DoNotSendWhatWasCanceled) {
  const auto handle = schedule(10ms, 1);
  advance(10ms - 1ns);
  EXPECT_TRUE(timers->cancel(handle));
  EXPECT_FALSE(timers->cancel(handle));
  advance(1h);
  EXPECT_TRUE(received.empty());
}

TEST_F(TransientTimers, DoNotCancelWhatWasSent) {
  const auto handle = schedule(10ms, 1);
  advance(10ms);
  EXPECT_FALSE(timers->cancel(handle));
  EXPECT_FALSE(timers->cancel(timer_handle{}));
  EXPECT_EQ(received, (numbers{1}));
}

TEST_F(TransientTimers, MoveEitherWay) {
  const auto later = schedule(10ms, 1);
  const auto sooner = schedule(1h, 2);
  const auto moved = timers->move(later, 2h);
  ASSERT_TRUE(moved);
  ASSERT_TRUE(timers->move(sooner, 20ms));
  dispatch_messages();
  EXPECT_FALSE(timers->move(later, 1ms));
  advance(20ms);
  EXPECT_EQ(received, (numbers{2}));
  advance(2h - 20ms - 1ns);
  EXPECT_EQ(received, (numbers{2}));
  advance(1ns);
  EXPECT_EQ(received, (numbers{2, 1}));
  EXPECT_FALSE(timers->move(moved, 1ms));
}

TEST_F(TransientTimers, DropMessagesOfReceiversThatAreGone) {
  schedule(10ms, 1);
  caf::anon_send_exit(receiver, caf::exit_reason::user_shutdown);
  dispatch_messages();
  receiver = nullptr;
  advance(10ms);
  EXPECT_TRUE(received.empty());
  EXPECT_EQ(timers->size(), 0u);
}

TEST_F(TransientTimers, DoNotKeepTheirReceiverAlive) {
  bool ended = false;
  auto other = sys.spawn([&]() -> caf::behavior {
    auto guard = std::shared_ptr<void>(nullptr, [&](void*) { ended = true; });
    return {[guard](std::uint64_t) {
    }};
  });
  dispatch_messages();
  ended = false;
  timers->schedule(1h, other, std::uint64_t{1});
  other = nullptr;
  dispatch_messages();
  EXPECT_TRUE(ended);
}

TEST_F(TransientTimers, GoOnInTurnsUntilAllAreSent) {
  constexpr std::uint64_t count = 1'000;
  for (std::uint64_t number = 0; number < count; ++number)
    timers->schedule(10ms, receiver, number);
  dispatch_messages();
  advance(10ms);
  EXPECT_EQ(received.size(), count);
  EXPECT_EQ(timers->size(), 0u);
}

TEST_F(TransientTimers, ForgetEverythingWhenTheyEnd) {
  schedule(10ms, 1);
  timers = nullptr;
  advance(1h);
  EXPECT_TRUE(received.empty());
}

// Each is sooner than all before, the worst case for alarms.
TEST_F(TransientTimers, SendAllOfAFallingSequence) {
  constexpr std::uint64_t count = 2'000;
  for (std::uint64_t number = count; number > 0; --number)
    schedule(number * 1ms, number);
  for (std::uint64_t number = 1; number <= count; ++number) {
    advance(1ms);
    ASSERT_EQ(received.size(), number);
    ASSERT_EQ(received.back(), number);
  }
}

TEST_F(TransientTimers, TakeCallsFromManyThreads) {
  constexpr std::uint64_t count = 10'000;
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([this] {
      for (std::uint64_t number = 0; number < count; ++number) {
        const auto kept = timers->schedule(1h, receiver, number);
        const auto dropped = timers->schedule(1min, receiver, number);
        EXPECT_TRUE(timers->move(kept, 2h));
        EXPECT_TRUE(timers->cancel(dropped));
      }
    });
  for (auto& thread : threads)
    thread.join();
  dispatch_messages();
  EXPECT_EQ(timers->size(), 4 * count);
  advance(2h - 1ns);
  EXPECT_TRUE(received.empty());
  advance(1ns);
  EXPECT_EQ(received.size(), 4 * count);
}

} // namespace gnomon
