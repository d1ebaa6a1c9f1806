// Every scenario is cut short at each of its calls, with each survival, and
// again with each call failing once or for ever.

#include "tests/storage/log_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace gnomon::storage {

namespace {

/// What a scenario was promised, whatever happens to it.
struct promise {
  /// Last position that was acknowledged.
  position acknowledged;

  /// Positions below may be gone.
  position compacted_below;
};

/// Does its work until a call fails.
using scenario = std::function<void(file_system&, promise&)>;

/// Writes `rounds` frames, syncing each second one.
void append_frames(log& target, promise& made, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (target.wants_spare()) {
      auto ticket = target.begin_spare();
      target.end_spare(ticket, ticket.run());
    }
    if (target.must_roll(frame_size(40)) && !target.roll())
      return;
    if (!append(target, 1 + round % 3))
      return;
    if (round % 2 == 1 && !target.sync())
      return;
    made.acknowledged = target.durable_position();
  }
}

void create(file_system& files, promise& made) {
  auto opened = open_log(files);
  if (opened)
    append_frames(**opened, made, 2);
}

void append_and_roll(file_system& files, promise& made) {
  auto opened = open_log(files);
  if (!opened)
    return;
  made.acknowledged = (*opened)->durable_position();
  (*opened)->begin_epoch((*opened)->last_epoch() + 1);
  append_frames(**opened, made, 14);
}

void compact(file_system& files, promise& made) {
  auto opened = open_log(files);
  if (!opened)
    return;
  append_frames(**opened, made, 60);
  // Announced before it is done: a part of it may be done.
  made.compacted_below = {made.acknowledged.value / 2};
  if (!(*opened)->compact(made.compacted_below))
    return;
  append_frames(**opened, made, 3);
}

void append_in_the_background(file_system& files, promise& made) {
  auto opened = open_log(files);
  if (!opened)
    return;
  auto& target = **opened;
  for (int round = 0; round < 4; ++round) {
    if (!append(target))
      return;
    auto early = target.begin_sync();
    if (!append(target))
      return;
    auto late = target.begin_sync();
    const auto late_outcome = late.run();
    const auto early_outcome = early.run();
    if (!target.end_sync(early, early_outcome))
      return;
    made.acknowledged = target.durable_position();
    if (!target.end_sync(late, late_outcome))
      return;
    made.acknowledged = target.durable_position();
  }
}

/// Checks that frames lead from the compacted part to at least the
/// acknowledged position, each as it was written.
void expect_promises(const std::vector<frame_copy>& frames,
                     const promise& made) {
  auto last = frames.empty() ? position{} : frames.front().header.first;
  if (!frames.empty()) {
    EXPECT_LE(last, std::max(made.compacted_below, position{1}));
  }
  last.value -= frames.empty() ? 0 : 1;
  for (const auto& frame : frames) {
    EXPECT_EQ(frame.header.first, last.next());
    EXPECT_EQ(frame.body, records_at(frame.header.first));
    last = frame.header.last();
  }
  EXPECT_GE(last, made.acknowledged);
}

/// Opens the log twice, expecting the promises and twice the same, and writes
/// behind it.
void expect_recovery(test::memory_file_system& files, const promise& made) {
  {
    open_hints hints;
    hints.durable_at_least = made.acknowledged;
    const auto opened = open_log(files, hints);
    ASSERT_TRUE(opened) << to_string(opened.error());
  }
  const auto once = read_frames(files);
  ASSERT_TRUE(once) << to_string(once.error());
  expect_promises(*once, made);
  files.cut_power({});
  auto opened = open_log(files);
  ASSERT_TRUE(opened) << to_string(opened.error());
  EXPECT_EQ((*opened)->report().torn_bytes, 0u);
  const auto twice = read_frames(files);
  ASSERT_TRUE(twice) << to_string(twice.error());
  EXPECT_EQ(*once, *twice);
  EXPECT_TRUE(append_and_sync(**opened));
}

struct named_scenario {
  std::string name;
  scenario run;
};

class LogFaults : public testing::TestWithParam<named_scenario> {
protected:
  /// Runs the scenario with a fault at call `number`.
  /// @returns Whether the fault came.
  bool run(test::fault::kind kind, errc code, std::uint64_t number) {
    files = partition_files();
    faulty = std::make_unique<test::faulty_file_system>(*files);
    made = {};
    faulty->inject({kind, number, code});
    GetParam().run(*faulty, made);
    EXPECT_EQ(files->violations(), std::vector<std::string>{});
    return faulty->has_struck();
  }

  std::unique_ptr<test::memory_file_system> files;
  std::unique_ptr<test::faulty_file_system> faulty;
  promise made;
};

} // namespace

TEST_P(LogFaults, KeepItsPromisesOverACrashAtEachCall) {
  for (std::uint64_t number = 1;; ++number) {
    auto struck = false;
    for (const auto& what : test::all_survivors()) {
      SCOPED_TRACE("call " + std::to_string(number) + ", seed "
                   + std::to_string(what.seed));
      struck = run(test::fault::kind::crash, errc::io_error, number);
      faulty->restart(what);
      expect_recovery(*files, made);
      if (HasFailure())
        return;
    }
    if (!struck)
      break;
  }
}

TEST_P(LogFaults, KeepItsPromisesOverACrashWhileRecovering) {
  for (std::uint64_t number = 1;; ++number) {
    const auto struck = run(test::fault::kind::crash, errc::io_error, number);
    // The first crash leaves what is hard: half of everything.
    faulty->restart({test::survivors::unsynced::some, number});
    const auto origin = files->clone();
    for (std::uint64_t second = 1;; ++second) {
      SCOPED_TRACE("calls " + std::to_string(number) + " and "
                   + std::to_string(second));
      auto copy = origin->clone();
      test::faulty_file_system again{*copy};
      again.inject({test::fault::kind::crash, second, errc::io_error});
      static_cast<void>(open_log(again));
      const auto struck_again = again.has_struck();
      again.restart({test::survivors::unsynced::some, second + number});
      expect_recovery(*copy, made);
      if (HasFailure())
        return;
      if (!struck_again)
        break;
    }
    if (!struck)
      break;
  }
}

TEST_P(LogFaults, KeepItsPromisesOverEachFailingCall) {
  for (const auto kind : {test::fault::kind::once, test::fault::kind::sticky}) {
    for (const auto code : {errc::io_error, errc::out_of_space}) {
      for (std::uint64_t number = 1;; ++number) {
        SCOPED_TRACE("call " + std::to_string(number) + " fails "
                     + (kind == test::fault::kind::once ? "once" : "for ever")
                     + " with " + to_string(code));
        const auto struck = run(kind, code, number);
        faulty->heal();
        files->kill_process();
        expect_recovery(*files, made);
        if (HasFailure())
          return;
        if (!struck)
          break;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
  Scenarios, LogFaults,
  testing::Values(named_scenario{"Create", create},
                  named_scenario{"AppendAndRoll", append_and_roll},
                  named_scenario{"Compact", compact},
                  named_scenario{"Background", append_in_the_background}),
  [](const auto& each) { return each.param.name; });

TEST(LogFaultsOfSpace, KeepTheLogUsableAtEveryLimit) {
  // Room for a few segments; every limit hits another byte of some write.
  for (std::uint64_t limit = 0; limit < 2600; limit += 7) {
    SCOPED_TRACE("limit " + std::to_string(limit));
    const auto files = partition_files();
    files->limit_bytes(limit);
    promise made;
    append_and_roll(*files, made);
    files->limit_bytes(UINT64_MAX);
    files->cut_power({});
    expect_recovery(*files, made);
    if (testing::Test::HasFailure())
      return;
  }
}

} // namespace gnomon::storage
