// A device that is really full: a small one in memory, that this process alone
// sees.

#include "gnomon/clock.hpp"
#include "gnomon/commands.hpp"
#include "tests/crash/aftermath.hpp"
#include "tests/crash/crash_options.hpp"
#include "tests/partitions/driven_partition.hpp"
#include "tests/simulation/scratch.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>

namespace gnomon::crash {

namespace {

namespace fs = std::filesystem;
using step_end = partitions::stream_processor::step_end;

class FullDisk : public ::testing::Test {
protected:
  void SetUp() override {
    if (::unshare(CLONE_NEWNS) != 0
        || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
        || ::mount("tmpfs", scratch_.location().c_str(), "tmpfs", 0, "size=4m")
             != 0)
      GTEST_SKIP() << "this process may not mount";
    std::ofstream{ballast()} << std::string(1 << 20, 'b');
  }

  void TearDown() override {
    ::umount2(scratch_.location().c_str(), MNT_DETACH);
  }

  fs::path ballast() const {
    return scratch_.location() / "ballast";
  }

  partition_options options() const {
    return crash_options(scratch_.location() / "home");
  }

  simulation::scratch_directory scratch_{"-full-disk"};
};

create_timer far_timer() {
  return {.when = duration{3'600'000}, .payload = bytes(4'000, 'p')};
}

/// Steps until nothing is left to do or the device is full.
result<step_end> process(test::driven_partition& partition) {
  for (;;) {
    const auto end = partition.core().step();
    if (!end)
      return end;
    if (auto roll = partition.core().begin_roll()) {
      if (auto done = partition.core().end_roll(*roll, roll->run()); !done)
        return done.error();
    } else if (*end != step_end::progressed) {
      return end;
    }
  }
}

/// Asks for timers until the device is full.
/// @returns Whether the partition waits. If not it was the state that had no
///          room: it has failed, as it would behind its actor.
bool fill(test::driven_partition& partition,
          acknowledged_outcomes& acknowledged) {
  for (int i = 0; i < 2'000; ++i) {
    const auto request = partition.submit(far_timer());
    const auto end = process(partition);
    if (!end) {
      EXPECT_EQ(end.error().code, errc::out_of_space) << to_string(end.error());
      static_cast<void>(partition.core().distrust());
      partition.kill();
      return false;
    }
    if (*end == step_end::held)
      return true;
    partition.sync();
    const auto answer = partition.answer_to(request);
    acknowledged[answer.position] = answer.key;
  }
  ADD_FAILURE() << "the device never got full";
  return false;
}

/// Lets real time pass until the partition is not held any more.
bool goes_on(test::driven_partition& partition) {
  for (int i = 0; i < 500; ++i) {
    const auto end = process(partition);
    if (!end || *end != step_end::held)
      return static_cast<bool>(end);
    ::poll(nullptr, 0, 10);
  }
  return false;
}

} // namespace

TEST_F(FullDisk, IsWaitedForAndGoesOnOnceThereIsSpace) {
  acknowledged_outcomes acknowledged;
  {
    test::driven_partition partition{system_clock(), options()};
    partition.open();
    const auto waits = fill(partition, acknowledged);
    EXPECT_GT(acknowledged.size(), 50u);
    fs::remove(ballast());
    if (!waits)
      partition.open();
    EXPECT_TRUE(goes_on(partition));
    const auto request = partition.submit(far_timer());
    EXPECT_TRUE(goes_on(partition));
    partition.sync();
    const auto answer = partition.answer_to(request);
    acknowledged[answer.position] = answer.key;
    partition.close();
  }
  EXPECT_EQ(judge(options(), acknowledged), "");
}

TEST_F(FullDisk, IsNoReasonToLoseAnythingAtTheStart) {
  acknowledged_outcomes acknowledged;
  {
    test::driven_partition partition{system_clock(), options()};
    partition.open();
    if (fill(partition, acknowledged))
      partition.kill();
    // Unless the state needs room to catch up: then it says so.
    if (const auto opened = partition.try_open(); !opened) {
      EXPECT_EQ(opened.error().code, errc::out_of_space)
        << to_string(opened.error());
    }
  }
  fs::remove(ballast());
  EXPECT_EQ(judge(options(), acknowledged), "");
}

} // namespace gnomon::crash
