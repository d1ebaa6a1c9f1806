#include "tests/tools/tool_fixture.hpp"

using namespace gnomon;
using namespace gnomon::test;

namespace fs = std::filesystem;

namespace {

class BackupCommand : public ToolTest {
protected:
  std::string archive() const {
    return (root / "backup.tar").string();
  }

  std::string target() const {
    return (root / "restored").string();
  }

  program_outcome restore() const {
    return run_program({"restore", archive(), target()});
  }

  /// Returns all timers of a folder of partitions.
  static nlohmann::json timers_of(const std::string& directory) {
    return run_program({"timers", directory, "--limit", "0", "--json"})
      .json()["partitions"][0]["timers"];
  }
};

TEST_F(BackupCommand, GivesTheSameTimersBack) {
  create_timers(10);
  partition.take_snapshot();
  create_timers(10, "more-");
  partition.close();
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  const auto outcome = restore();
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(timers_of(target()), timers_of(directory()));
  EXPECT_EQ(timers_of(target()).size(), 20u);
}

TEST_F(BackupCommand, GivesAPartitionBackThatOpens) {
  create_timers(10);
  const auto before = timers_of(directory());
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  ASSERT_EQ(restore().status, 0);
  auto options = partition.options;
  options.directory = target();
  driven_partition restored{clock, options};
  restored.open();
  EXPECT_EQ(timers_of(target()), before);
  restored.submit(create_timer{.when = year_2100, .name = "after"});
  restored.process();
  EXPECT_EQ(timers_of(target()).size(), 11u);
  restored.close();
  EXPECT_EQ(run_program({"verify", target()}).status, 0);
}

TEST_F(BackupCommand, WorksWhileRunningAndAfterCompaction) {
  grow();
  ASSERT_NE(segments().front().filename(), "00000000000000000001.log");
  const auto outcome = tool("backup", {archive(), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto answer = outcome.json()["partitions"][0];
  EXPECT_EQ(answer["position"], partition.core().applied_position().value);
  EXPECT_NE(answer["snapshot"], 0);
  EXPECT_FALSE(fs::exists(archive() + ".tmp"));
  ASSERT_EQ(restore().status, 0);
  EXPECT_EQ(timers_of(target()).size(), 2700u);
}

TEST_F(BackupCommand, WorksAgainAndAgainWhileThePartitionCompacts) {
  for (int round = 0; round < 5; ++round) {
    program backing{{"backup", directory(), archive()}};
    create_timers(900, std::to_string(round) + "-");
    partition.take_snapshot();
    partition.take_snapshot();
    const auto outcome = backing.wait();
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    ASSERT_EQ(restore().status, 0);
    fs::remove_all(target());
    fs::remove(archive());
  }
}

TEST_F(BackupCommand, HasAllPartitions) {
  partition.close();
  auto options = partition.options;
  options.directory = root / "both";
  options.partition_count = 2;
  driven_partition one{clock, options};
  options.id = partition_id{2};
  driven_partition two{clock, options};
  one.open();
  two.open();
  two.submit(create_timer{.when = year_2100});
  two.run();
  const auto both = (root / "both").string();
  ASSERT_EQ(run_program({"backup", both, archive()}).status, 0);
  ASSERT_EQ(restore().status, 0);
  const auto answer = run_program({"timers", target(), "--json"}).json();
  ASSERT_EQ(answer["partitions"].size(), 2u);
  EXPECT_EQ(answer["partitions"][1]["timers"].size(), 1u);
}

TEST_F(BackupCommand, ReplacesNoFile) {
  create_timers(1);
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  const auto again = tool("backup", {archive()});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.errors.find("already_exists"), std::string::npos);
}

TEST_F(BackupCommand, LeavesNothingBehindIfItFails) {
  create_timers(10);
  partition.close();
  flip(segments().front(), 0);
  EXPECT_EQ(tool("backup", {archive()}).status, 12);
  EXPECT_FALSE(fs::exists(archive()));
  EXPECT_FALSE(fs::exists(archive() + ".tmp"));
}

TEST_F(BackupCommand, IsNotRestoredIntoAFolderThatIsNotEmpty) {
  create_timers(1);
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  fs::create_directories(fs::path{target()} / "something");
  EXPECT_EQ(restore().status, 2);
  EXPECT_TRUE(fs::exists(fs::path{target()} / "something"));
  fs::remove(fs::path{target()} / "something");
  EXPECT_EQ(restore().status, 0);
}

TEST_F(BackupCommand, IsNotRestoredIfAnyByteIsFlipped) {
  create_timers(3);
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  // Headers and contents of FORMAT, IDENTITY and the segment; between them is
  // padding, which may be anything.
  for (const auto offset : {0, 512, 520, 1024, 1536, 1550, 2048, 2560, 2700}) {
    flip(archive(), static_cast<std::uint64_t>(offset));
    EXPECT_EQ(restore().status, 12) << "offset " << offset;
    EXPECT_FALSE(fs::exists(target())) << "offset " << offset;
    flip(archive(), static_cast<std::uint64_t>(offset));
  }
  EXPECT_EQ(restore().status, 0);
}

TEST_F(BackupCommand, IsNotRestoredIfItIsCut) {
  create_timers(3);
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  for (const std::uintmax_t size : {0, 100, 512, 1024, 2048, 4096}) {
    const auto cut = (root / "cut.tar").string();
    fs::copy_file(archive(), cut, fs::copy_options::overwrite_existing);
    fs::resize_file(cut, size);
    EXPECT_EQ(run_program({"restore", cut, target()}).status, 12) << size;
    EXPECT_FALSE(fs::exists(target())) << size;
  }
}

TEST_F(BackupCommand, LeavesNoFolderBehindIfRestoringFails) {
  create_timers(3);
  ASSERT_EQ(tool("backup", {archive()}).status, 0);
  fs::resize_file(archive(), 2048);
  EXPECT_NE(restore().status, 0);
  for (const auto& entry : fs::directory_iterator{root})
    EXPECT_FALSE(entry.path().filename().string().starts_with("gnomon-"))
      << entry.path();
}

} // namespace
