#include "storage/checked_file.hpp"
#include "storage/partition_directory.hpp"
#include "tests/storage/state_fixture.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/memory_file_system.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

const path root = "/data";
const path home = root / "partition-00003";

class PartitionDirectory : public testing::Test {
protected:
  result<partition_directory> open(std::uint16_t partition = 3,
                                   std::uint16_t count = 8) {
    partition_directory_options options;
    options.partition = {partition};
    options.partition_count = count;
    options.draw_log_id = [this] {
      return result<log_id>{log_id{++drawn}};
    };
    return partition_directory::open(files, root, options);
  }

  errc refusal(std::uint16_t partition = 3, std::uint16_t count = 8) {
    const auto opened = open(partition, count);
    return opened ? errc::none : opened.error().code;
  }

  // Names in a directory; empty if there is none.
  std::vector<std::string> names(const path& directory) {
    return *memory.exists(directory) ? *memory.list(directory)
                                     : std::vector<std::string>{};
  }

  test::memory_file_system memory;
  test::faulty_file_system files{memory};
  std::uint64_t drawn = 41;
};

using strings = std::vector<std::string>;

} // namespace

TEST_F(PartitionDirectory, IsCreatedWithAllItsFolders) {
  const auto created = open();
  ASSERT_TRUE(created) << to_string(created.error());
  EXPECT_EQ(created->identity(), (partition_identity{{3}, 8, {42}}));
  EXPECT_EQ(created->location(), home);
  EXPECT_EQ(names(root), (strings{"FORMAT", "partition-00003"}));
  EXPECT_EQ(names(home),
            (strings{"IDENTITY", "LOCK", "log", "snapshots", "state", "torn"}));
  EXPECT_TRUE(memory.violations().empty());
}

TEST_F(PartitionDirectory, DrawsItsLogIdOnce) {
  const auto log = open()->identity().log;
  EXPECT_EQ(open()->identity().log, log);
}

TEST_F(PartitionDirectory, IsSyncedOnceCreated) {
  const auto log = open()->identity().log;
  files.restart({test::survivors::unsynced::none});
  EXPECT_EQ(open()->identity().log, log);
  EXPECT_EQ(drawn, 42u);
}

TEST_F(PartitionDirectory, HasOneOwner) {
  auto first = open();
  ASSERT_TRUE(first);
  EXPECT_EQ(refusal(), errc::in_use);
  // Its lock is its own; another partition is another matter.
  EXPECT_EQ(refusal(4), errc::none);
  first = result<partition_directory>{errc::unavailable, "closed"};
  EXPECT_EQ(refusal(), errc::none);
}

TEST_F(PartitionDirectory, RefusesAnotherPartitionOrCount) {
  ASSERT_TRUE(open());
  EXPECT_EQ(refusal(3, 9), errc::wrong_identity);
  EXPECT_EQ(refusal(3, 7), errc::wrong_identity);
  ASSERT_TRUE(memory.rename(home, root / "partition-00004"));
  EXPECT_EQ(refusal(4), errc::wrong_identity);
}

TEST_F(PartitionDirectory, RemovesTemporariesOfItsOwnOnly) {
  ASSERT_TRUE(open());
  const strings mine{"stamp.tmp", "state/data.mdb.tmp", "log/0001.tmp"};
  for (const auto& name : mine)
    memory.overwrite(home / name, "x");
  memory.overwrite(home / "log/0001", "x");
  ASSERT_TRUE(memory.create_directories(home / "snapshots/copy.tmp"));
  memory.overwrite(home / "snapshots/copy.tmp/data.mdb", "x");
  EXPECT_EQ(refusal(3, 9), errc::wrong_identity);
  EXPECT_TRUE(*memory.exists(home / "stamp.tmp"));
  ASSERT_TRUE(open());
  for (const auto& name : mine)
    EXPECT_FALSE(*memory.exists(home / name)) << name;
  EXPECT_EQ(names(home / "snapshots"), strings{});
  EXPECT_EQ(names(home / "log"), strings{"0001"});
}

TEST_F(PartitionDirectory, IsCorruptedIfAnyBitOfItsFilesIsFlipped) {
  ASSERT_TRUE(open());
  for (const auto& name : {root / "FORMAT", home / "IDENTITY"}) {
    const auto whole = memory.content(name);
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      auto flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      memory.overwrite(name, flipped);
      ASSERT_EQ(refusal(), errc::corrupted) << name << " bit " << bit;
    }
    memory.overwrite(name, whole);
    ASSERT_EQ(refusal(), errc::none);
  }
}

TEST_F(PartitionDirectory, TouchesNothingIfItIsOfALaterVersion) {
  ASSERT_TRUE(open());
  memory.overwrite(home / "stamp.tmp", "x");
  const auto format = memory.content(root / "FORMAT");
  memory.overwrite(root / "FORMAT", encode_checked({"GNMFORMT", 2}, ""));
  EXPECT_EQ(refusal(), errc::format_too_new);
  EXPECT_EQ(refusal(4), errc::format_too_new);
  EXPECT_EQ(names(root), (strings{"FORMAT", "partition-00003"}));
  memory.overwrite(root / "FORMAT", format);
  memory.overwrite(home / "IDENTITY", encode_checked({"GNMIDENT", 2}, ""));
  EXPECT_EQ(refusal(), errc::format_too_new);
  EXPECT_TRUE(*memory.exists(home / "stamp.tmp"));
}

// A new identity would make the log somebody else's.
TEST_F(PartitionDirectory, DrawsNoIdentityForALogThatHasLostIts) {
  ASSERT_TRUE(open());
  ASSERT_TRUE(memory.remove(home / "IDENTITY"));
  EXPECT_EQ(refusal(), errc::none);
  ASSERT_TRUE(memory.remove(home / "IDENTITY"));
  memory.overwrite(home / "log/00000000000000000001", "frames");
  EXPECT_EQ(refusal(), errc::corrupted);
}

TEST_F(PartitionDirectory, FailsIfItCannotDrawALogId) {
  partition_directory_options options;
  options.partition = {3};
  options.partition_count = 8;
  options.draw_log_id = [] {
    return result<log_id>{errc::io_error, "none"};
  };
  EXPECT_FALSE(partition_directory::open(files, root, options));
  EXPECT_EQ(refusal(), errc::none);
}

// A power cut at each call of creating, whatever the disk kept: the next
// opening creates or completes it, and that is durable.
TEST_F(PartitionDirectory, IsCompletedAfterACrashInAnyStep) {
  for (const auto& kept : test::all_survivors()) {
    bool has_struck = true;
    for (std::uint64_t call = 1; has_struck; ++call) {
      (void)memory.remove_all(root);
      (void)memory.sync_directory(root.parent_path());
      files.inject({test::fault::kind::crash, call});
      const auto opened = static_cast<bool>(open());
      has_struck = files.has_struck();
      EXPECT_EQ(opened, !has_struck);
      files.restart(kept);
      const auto completed = open();
      ASSERT_TRUE(completed) << call << to_string(completed.error());
      const auto identity = completed->identity();
      files.restart({test::survivors::unsynced::none});
      const auto again = open();
      ASSERT_TRUE(again) << call << to_string(again.error());
      EXPECT_EQ(again->identity(), identity);
      EXPECT_EQ(names(home).size(), 6u);
    }
  }
  EXPECT_EQ(memory.violations(), strings{});
}

TEST_F(PartitionDirectory, FailsIfAnyCallFailsAndIsFineTheNextTime) {
  bool has_struck = true;
  for (std::uint64_t call = 1; has_struck; ++call) {
    (void)memory.remove_all(root);
    files.inject({test::fault::kind::once, call});
    const auto opened = static_cast<bool>(open());
    has_struck = files.has_struck();
    EXPECT_EQ(opened, !has_struck) << "call " << call;
    files.heal();
    EXPECT_EQ(refusal(), errc::none) << "call " << call;
  }
}

TEST(DirectoryName, HasFiveDigits) {
  EXPECT_EQ(directory_name({1}), "partition-00001");
  EXPECT_EQ(directory_name({8191}), "partition-08191");
}

} // namespace gnomon::storage
