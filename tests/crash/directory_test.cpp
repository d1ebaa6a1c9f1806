// What happens to the directory of a killed process before another opens it.

#include "gnomon/clock.hpp"
#include "storage/stamp.hpp"
#include "storage/state_store.hpp"
#include "storage/system_file_system.hpp"
#include "tests/crash/aftermath.hpp"
#include "tests/crash/child_process.hpp"
#include "tests/crash/crash_options.hpp"
#include "tests/simulation/scratch.hpp"

#include <gtest/gtest.h>

#include "partitions/stream_processor.hpp"
#include <fstream>

namespace gnomon::crash {

namespace {

namespace fs = std::filesystem;

class KilledPartition : public ::testing::Test {
protected:
  /// Lets a process work until it has acknowledged something, and kills it.
  void SetUp() override {
    test::child_process process{{GNOMON_LOAD_PROCESS, home().string()}};
    for (int i = 0; i < 200; ++i)
      note(process.read_line(), acknowledged);
    process.kill();
  }

  fs::path home() const {
    return scratch_.location() / "home";
  }

  static fs::path partition_in(const fs::path& directory) {
    return directory / "partition-00001";
  }

  fs::path state_file() const {
    return partition_in(home()) / "state" / storage::state_file_name;
  }

  fs::path stamp_file() const {
    return partition_in(home()) / "stamp";
  }

  /// As a power cut may leave it.
  void scramble_state() {
    std::fstream file{state_file(),
                      std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(0);
    file << std::string(16 << 10, '\x5A');
  }

  /// Makes the stamp one of an earlier run of the operating system.
  void reboot() {
    auto& files = storage::system_files();
    auto found = storage::read_stamp(files, stamp_file());
    ASSERT_TRUE(found && *found);
    (*found)->boot.value[0] ^= 1;
    ASSERT_TRUE(storage::write_stamp(files, stamp_file(), **found));
  }

  acknowledged_outcomes acknowledged;

private:
  simulation::scratch_directory scratch_{"-directory"};
};

errc refusal(const fs::path& directory) {
  const auto opened = partitions::stream_processor::open(
    storage::system_files(), system_clock(), crash_options(directory));
  return opened ? errc::none : opened.error().code;
}

} // namespace

TEST_F(KilledPartition, GoesOn) {
  EXPECT_EQ(judge(crash_options(home()), acknowledged), "");
}

TEST_F(KilledPartition, LacksWhatWasNeverWritten) {
  acknowledged[{999'999'999}] = {1};
  EXPECT_NE(judge(crash_options(home()), acknowledged), "");
}

TEST_F(KilledPartition, RebuildsItsStateAfterAReboot) {
  scramble_state();
  reboot();
  EXPECT_EQ(judge(crash_options(home()), acknowledged), "");
}

TEST_F(KilledPartition, RebuildsItsStateWithoutAStamp) {
  scramble_state();
  fs::remove(stamp_file());
  EXPECT_EQ(judge(crash_options(home()), acknowledged), "");
}

TEST_F(KilledPartition, RebuildsItsStateInACopyOfItsDirectory) {
  const auto copy = home().parent_path() / "copy";
  fs::copy(home(), copy, fs::copy_options::recursive);
  scramble_state();
  EXPECT_EQ(judge(crash_options(copy), acknowledged), "");
}

TEST_F(KilledPartition, RefusesTheLogOfAnother) {
  const auto other = home().parent_path() / "other";
  {
    test::child_process process{{GNOMON_LOAD_PROCESS, other.string()}};
    EXPECT_NE(process.read_line(), "");
  }
  const auto log = partition_in(home()) / "log";
  fs::remove_all(log);
  fs::copy(partition_in(other) / "log", log);
  EXPECT_EQ(refusal(home()), errc::wrong_identity);
}

TEST_F(KilledPartition, IsOpenedByOneProcessOnly) {
  test::child_process process{{GNOMON_LOAD_PROCESS, home().string()}};
  note(process.read_line(), acknowledged);
  const auto opened = partitions::stream_processor::open(
    storage::system_files(), system_clock(), crash_options(home()));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::in_use);
  const auto holder = "process " + std::to_string(process.id()) + " has it";
  EXPECT_NE(opened.error().context.find(holder), std::string::npos)
    << opened.error().context;
  process.kill();
  EXPECT_EQ(judge(crash_options(home()), acknowledged), "");
}

} // namespace gnomon::crash
