// What every file system of the port must do, and what the fakes add.

#include "storage/system_file_system.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/memory_file_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <unistd.h>

namespace gnomon::storage {

namespace {

enum class kind { memory, faulty, system };

/// The same promises for the real file system and for its fakes.
class FileSystem : public testing::TestWithParam<kind> {
protected:
  void SetUp() override {
    static std::atomic<int> number = 0;
    if (GetParam() == kind::system)
      directory = std::filesystem::temp_directory_path()
                  / ("gnomon_files_" + std::to_string(getpid()) + "_"
                     + std::to_string(++number));
    ASSERT_TRUE(files().create_directories(directory));
  }

  void TearDown() override {
    EXPECT_TRUE(files().remove_all(directory));
    EXPECT_FALSE(*files().exists(directory));
  }

  file_system& files() {
    switch (GetParam()) {
    case kind::memory:
      return memory;
    case kind::faulty:
      return faulty;
    default:
      return system_files();
    }
  }

  std::unique_ptr<file> create(const std::string& name) {
    auto created = files().open(directory / name, open_mode::create_new);
    EXPECT_TRUE(created) << to_string(created.error());
    return *std::move(created);
  }

  test::memory_file_system memory;
  test::faulty_file_system faulty{memory};
  path directory = "/some/where";
};

} // namespace

TEST_P(FileSystem, ReadsWhatWasWrittenAndNoFurtherThanTheEnd) {
  const auto target = create("file");
  std::size_t written = 0;
  ASSERT_TRUE(target->write(3, "content", &written));
  EXPECT_EQ(written, 7u);
  EXPECT_EQ(*target->size(), 10u);
  EXPECT_EQ(*target->read(0, 100), bytes("\0\0\0content", 10));
  EXPECT_EQ(*target->read(3, 4), "cont");
  EXPECT_EQ(*target->read(10, 4), "");
  EXPECT_EQ(*target->read(1000, 4), "");
}

TEST_P(FileSystem, WritesAndReadsMoreThanOneCallTakes) {
  const auto target = create("file");
  bytes content(5'000'000, '\0');
  for (std::size_t index = 0; index < content.size(); ++index)
    content[index] = static_cast<char>(index % 251);
  ASSERT_TRUE(target->write(0, content));
  EXPECT_EQ(*target->read(0, content.size()), content);
  EXPECT_TRUE(target->sync());
  ASSERT_TRUE(target->drop_cache(0));
  EXPECT_EQ(*target->read(0, SIZE_MAX), content);
}

TEST_P(FileSystem, OpensOnlyWhatItIsAskedFor) {
  EXPECT_EQ(files().open(directory / "file", open_mode::existing).error().code,
            errc::not_found);
  create("file");
  EXPECT_TRUE(files().open(directory / "file", open_mode::existing));
  EXPECT_EQ(
    files().open(directory / "file", open_mode::create_new).error().code,
    errc::already_exists);
  const auto reader = files().open(directory / "file", open_mode::read_only);
  ASSERT_TRUE(reader);
  EXPECT_FALSE((*reader)->write(0, "x"));
  EXPECT_EQ(*(*reader)->size(), 0u);
}

TEST_P(FileSystem, AllocatesZerosAndNeverShrinks) {
  const auto target = create("file");
  ASSERT_TRUE(target->write(0, "abc"));
  ASSERT_TRUE(target->allocate(10'000));
  EXPECT_EQ(*target->size(), 10'000u);
  EXPECT_EQ(*target->read(0, 5), bytes("abc\0\0", 5));
  ASSERT_TRUE(target->allocate(10));
  EXPECT_EQ(*target->size(), 10'000u);
  ASSERT_TRUE(target->truncate(2));
  EXPECT_EQ(*target->read(0, 10), "ab");
}

TEST_P(FileSystem, RenamesRemovesAndListsInOrder) {
  create("b");
  create("a");
  create("c");
  ASSERT_TRUE(files().rename(directory / "b", directory / "d"));
  ASSERT_TRUE(files().remove(directory / "c"));
  ASSERT_TRUE(files().sync_directory(directory));
  EXPECT_EQ(*files().list(directory), (std::vector<std::string>{"a", "d"}));
  EXPECT_TRUE(*files().exists(directory / "d"));
  EXPECT_FALSE(*files().exists(directory / "b"));
  EXPECT_EQ(files().remove(directory / "b").error().code, errc::not_found);
  EXPECT_EQ(files().list(directory / "nowhere").error().code, errc::not_found);
}

TEST_P(FileSystem, IdentityFollowsTheFileNotTheName) {
  create("a");
  create("b");
  const auto a = *files().identity(directory / "a");
  EXPECT_NE(a, *files().identity(directory / "b"));
  ASSERT_TRUE(files().rename(directory / "a", directory / "c"));
  EXPECT_EQ(*files().identity(directory / "c"), a);
  EXPECT_EQ(files().identity(directory / "a").error().code, errc::not_found);
}

TEST_P(FileSystem, LocksOnceUntilReleased) {
  auto first = files().lock(directory / "LOCK");
  ASSERT_TRUE(first) << to_string(first.error());
  const auto second = files().lock(directory / "LOCK");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, errc::in_use);
  // Opening and closing the file elsewhere does not release it.
  EXPECT_TRUE(files().open(directory / "LOCK", open_mode::existing));
  EXPECT_FALSE(files().lock(directory / "LOCK"));
  (*first).reset();
  EXPECT_TRUE(files().lock(directory / "LOCK"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, FileSystem,
                         testing::Values(kind::memory, kind::faulty,
                                         kind::system),
                         [](const auto& each) -> std::string {
                           switch (each.param) {
                           case kind::memory:
                             return "Memory";
                           case kind::faulty:
                             return "Faulty";
                           default:
                             return "System";
                           }
                         });

TEST(SystemFiles, TellWhetherAFileIsLockedWithoutLockingIt) {
  const auto name = std::filesystem::temp_directory_path()
                    / ("gnomon_locked_" + std::to_string(getpid()));
  EXPECT_FALSE(*is_locked(name));
  auto lock = system_files().lock(name);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(*is_locked(name));
  lock->reset();
  EXPECT_FALSE(*is_locked(name));
  EXPECT_TRUE(system_files().lock(name));
  std::filesystem::remove(name);
}

TEST(SystemFiles, RecogniseTheSameLockByAnotherPath) {
  const auto directory = std::filesystem::temp_directory_path()
                         / ("gnomon_lock_" + std::to_string(getpid()));
  ASSERT_TRUE(system_files().create_directories(directory));
  {
    const auto lock = system_files().lock(directory / "LOCK");
    ASSERT_TRUE(lock);
    std::filesystem::create_hard_link(directory / "LOCK", directory / "twin");
    EXPECT_EQ(system_files().lock(directory / "twin").error().code,
              errc::in_use);
  }
  EXPECT_TRUE(system_files().remove_all(directory));
}

TEST(SystemFiles, AFullDeviceIsOutOfSpace) {
  const auto full = system_files().open("/dev/full", open_mode::existing);
  if (!full)
    GTEST_SKIP() << "no /dev/full here";
  std::size_t written = 1;
  const auto outcome = (*full)->write(0, "x", &written);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, errc::out_of_space);
  EXPECT_EQ(written, 0u);
  EXPECT_NE(outcome.error().context.find("write /dev/full"), std::string::npos);
}

namespace {

class MemoryFiles : public testing::Test {
protected:
  std::unique_ptr<file> create(const path& name) {
    auto created = files.open(name, open_mode::create_new);
    EXPECT_TRUE(created);
    return *std::move(created);
  }

  static test::survivors some(std::uint64_t seed) {
    return {test::survivors::unsynced::some, seed};
  }

  test::memory_file_system files;
};

} // namespace

TEST_F(MemoryFiles, LoseAFileWhoseEntryWasNotSynced) {
  ASSERT_TRUE(create("/file")->write(0, "x"));
  ASSERT_TRUE((*files.open("/file", open_mode::existing))->sync());
  files.cut_power({});
  EXPECT_FALSE(*files.exists("/file"));
}

TEST_F(MemoryFiles, LoseContentThatWasNotSynced) {
  const auto target = create("/file");
  ASSERT_TRUE(files.sync_directory("/"));
  ASSERT_TRUE(target->write(0, "old"));
  ASSERT_TRUE(target->sync());
  ASSERT_TRUE(target->write(0, "new"));
  EXPECT_EQ(files.content("/file"), "new");
  files.cut_power({});
  EXPECT_EQ(files.content("/file"), "old");
  EXPECT_FALSE(target->read(0, 3)); // a handle of before is dead
}

TEST_F(MemoryFiles, UndoARenameAndARemovalThatWereNotSynced) {
  create("/a");
  create("/b");
  ASSERT_TRUE(files.sync_directory("/"));
  ASSERT_TRUE(files.rename("/a", "/c"));
  ASSERT_TRUE(files.remove("/b"));
  files.cut_power({});
  EXPECT_EQ(*files.list("/"), (std::vector<std::string>{"a", "b"}));
}

TEST_F(MemoryFiles, KeepSomeSectorsOfAnUnsyncedWrite) {
  auto torn = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto name = path{"/" + std::to_string(seed)};
    const auto target = create(name);
    ASSERT_TRUE(files.sync_directory("/"));
    ASSERT_TRUE(target->write(0, bytes(1024, 'o')));
    ASSERT_TRUE(target->sync());
    ASSERT_TRUE(target->write(0, bytes(1024, 'n')));
    files.cut_power(some(seed));
    const auto left = files.content(name);
    // Sectors are whole.
    EXPECT_EQ(left.substr(0, 512), bytes(512, left[0]));
    EXPECT_EQ(left.substr(512), bytes(512, left[512]));
    torn += left[0] != left[512] ? 1 : 0;
  }
  EXPECT_GT(torn, 0);
}

TEST_F(MemoryFiles, FillUpToTheLimitAndSayHowFar) {
  const auto target = create("/file.tmp");
  files.limit_bytes(10);
  std::size_t written = 0;
  EXPECT_TRUE(target->write(0, "0123456", &written));
  const auto refused = target->write(7, "789abc", &written);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::out_of_space);
  EXPECT_EQ(written, 3u);
  EXPECT_TRUE(target->write(0, "9876543210"));
  EXPECT_EQ(target->allocate(11).error().code, errc::out_of_space);
}

TEST_F(MemoryFiles, ReportBreachesOfTheSyncOrder) {
  const auto target = create("/file.tmp");
  ASSERT_TRUE(target->write(0, "x"));
  EXPECT_TRUE(files.violations().empty());
  ASSERT_TRUE(files.rename("/file.tmp", "/file"));
  EXPECT_EQ(files.violations().size(), 1u);
  ASSERT_TRUE(target->write(0, "y")); // the entry is not on the disk
  EXPECT_EQ(files.violations().size(), 2u);
  ASSERT_TRUE(files.sync_directory("/"));
  ASSERT_TRUE(target->write(0, "z"));
  EXPECT_EQ(files.violations().size(), 2u);
}

TEST(FaultyFiles, FailOnceForEverOrCrash) {
  test::memory_file_system memory;
  test::faulty_file_system files{memory};
  const auto outcomes = [&](test::fault::kind what) {
    files.inject({what, 2, errc::io_error});
    std::string text;
    for (int call = 0; call < 3; ++call)
      text += files.sync_directory("/") ? '+' : '-';
    text += files.exists("/") ? '+' : '-';
    return text;
  };
  EXPECT_EQ(outcomes(test::fault::kind::once), "+-++");
  EXPECT_EQ(outcomes(test::fault::kind::sticky), "+--+");
  EXPECT_EQ(outcomes(test::fault::kind::crash), "+---");
  EXPECT_TRUE(files.has_struck());
  EXPECT_EQ(files.calls(), 4u);
  files.restart({});
  EXPECT_TRUE(files.exists("/"));
  EXPECT_EQ(files.calls(), 1u);
}

TEST(FaultyFiles, AFailedSyncLosesContentThatTheCacheStillShows) {
  test::memory_file_system memory;
  test::faulty_file_system files{memory};
  auto opened = files.open("/file", open_mode::create_new);
  ASSERT_TRUE(opened);
  const auto target = *std::move(opened);
  ASSERT_TRUE(files.sync_directory("/"));
  ASSERT_TRUE(target->write(0, "x"));
  files.inject({test::fault::kind::once, 1, errc::io_error});
  EXPECT_FALSE(target->sync());
  EXPECT_TRUE(target->sync());
  EXPECT_EQ(*target->read(0, 1), "x");
  ASSERT_TRUE(target->drop_cache(0));
  EXPECT_EQ(*target->read(0, 1), bytes(1, '\0'));
}

} // namespace gnomon::storage
