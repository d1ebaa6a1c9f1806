// Reading beside the writer.

#include "storage/system_file_system.hpp"
#include "tests/storage/log_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <unistd.h>

namespace gnomon::storage {

namespace {

class LogReader : public testing::Test {
protected:
  void SetUp() override {
    auto opened = open_log(*files);
    ASSERT_TRUE(opened) << to_string(opened.error());
    target = *std::move(opened);
  }

  std::unique_ptr<log_reader> reader_from(std::uint64_t from) {
    auto reader
      = log_reader::open(*files, log_directory, small_options().id, {from});
    EXPECT_TRUE(reader) << to_string(reader.error());
    return *std::move(reader);
  }

  /// Returns the first position of the next frame; 0 if there is none.
  static std::uint64_t next_first(log_reader& reader, position up_to) {
    const auto frame = reader.next(up_to);
    EXPECT_TRUE(frame) << to_string(frame.error());
    return frame && *frame ? (*frame)->header.first.value : 0;
  }

  std::unique_ptr<test::memory_file_system> files = partition_files();
  std::unique_ptr<log> target;
};

} // namespace

TEST_F(LogReader, FollowsTheWriterAcrossSegments) {
  auto reader = reader_from(1);
  for (std::uint64_t first = 1; first < 30; ++first) {
    EXPECT_EQ(next_first(*reader, read_all_written), 0u);
    if (target->must_roll(frame_size(40))) {
      ASSERT_TRUE(target->roll());
    }
    ASSERT_TRUE(append(*target));
    EXPECT_EQ(next_first(*reader, read_all_written), first);
    EXPECT_EQ(reader->last_position(), position{first});
  }
  EXPECT_GT(target->segments().size(), 2u);
}

TEST_F(LogReader, StopsAtTheBound) {
  ASSERT_TRUE(append(*target, 2));
  ASSERT_TRUE(append(*target, 2));
  auto reader = reader_from(1);
  EXPECT_EQ(next_first(*reader, {1}), 0u);
  EXPECT_EQ(next_first(*reader, {2}), 1u);
  EXPECT_EQ(next_first(*reader, {2}), 0u);
  EXPECT_EQ(next_first(*reader, {3}), 0u);
  EXPECT_EQ(next_first(*reader, {4}), 3u);
}

TEST_F(LogReader, SeesWhatWasWrittenSinceItLastRead) {
  ASSERT_TRUE(append(*target));
  auto reader = reader_from(1);
  EXPECT_EQ(next_first(*reader, {1}), 1u);
  ASSERT_TRUE(append(*target));
  EXPECT_EQ(next_first(*reader, {2}), 2u);
}

TEST_F(LogReader, BeginsAtTheFrameThatHoldsThePosition) {
  for (int round = 0; round < 12; ++round) {
    if (target->must_roll(frame_size(40))) {
      ASSERT_TRUE(target->roll());
    }
    ASSERT_TRUE(append(*target, 3));
  }
  for (std::uint64_t from = 1; from <= 36; ++from) {
    auto reader = reader_from(from);
    EXPECT_EQ(next_first(*reader, read_all_written), (from - 1) / 3 * 3 + 1);
  }
  EXPECT_EQ(next_first(*reader_from(37), read_all_written), 0u);
}

TEST_F(LogReader, ReportsWhatCompactionHasTaken) {
  ASSERT_TRUE(append(*target));
  ASSERT_TRUE(target->roll());
  ASSERT_TRUE(target->compact({2}));
  const auto reader
    = log_reader::open(*files, log_directory, small_options().id, {1});
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, errc::not_found);
  EXPECT_TRUE(log_reader::open(*files, log_directory, small_options().id, {2}));
}

TEST_F(LogReader, TakesDamageForTheEndUnlessItIsOwedMore) {
  ASSERT_TRUE(append_and_sync(*target));
  ASSERT_TRUE(append_and_sync(*target));
  auto content = files->content(segment_path(1));
  content[segment_header_bytes + frame_size(40) + 90] ^= 1;
  files->overwrite(segment_path(1), content);

  auto reader = reader_from(1);
  EXPECT_EQ(next_first(*reader, read_all_written), 1u);
  EXPECT_EQ(next_first(*reader, read_all_written), 0u);
  const auto owed = reader->next({2});
  ASSERT_FALSE(owed);
  EXPECT_EQ(owed.error().code, errc::corrupted);
}

TEST_F(LogReader, ALaterSegmentProvesThatMoreWasThere) {
  ASSERT_TRUE(append(*target));
  ASSERT_TRUE(append(*target));
  ASSERT_TRUE(target->roll());
  auto content = files->content(segment_path(1));
  content[segment_header_bytes + frame_size(40) + 90] ^= 1;
  files->overwrite(segment_path(1), content);

  auto reader = reader_from(1);
  EXPECT_EQ(next_first(*reader, read_all_written), 1u);
  const auto damaged = reader->next(read_all_written);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, errc::corrupted);
}

TEST_F(LogReader, ReportsAFirstFrameThatIsDamagedInASealedSegment) {
  ASSERT_TRUE(append_and_sync(*target));
  ASSERT_TRUE(target->roll());
  ASSERT_TRUE(append_and_sync(*target));
  auto content = files->content(segment_path(1));
  content[segment_header_bytes + 8] ^= 1;
  files->overwrite(segment_path(1), content);
  const auto frame = reader_from(1)->next(read_all_written);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, errc::corrupted);
}

TEST_F(LogReader, NamesTheDurablePositionThatFramesName) {
  ASSERT_TRUE(append_and_sync(*target));
  ASSERT_TRUE(append(*target));
  auto reader = reader_from(1);
  EXPECT_EQ(next_first(*reader, read_all_written), 1u);
  EXPECT_EQ(reader->durable_named(), position{0});
  EXPECT_EQ(next_first(*reader, read_all_written), 2u);
  EXPECT_EQ(reader->durable_named(), position{1});
}

TEST_F(LogReader, RefusesAnotherLog) {
  const auto reader = log_reader::open(*files, log_directory, {1}, {1});
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, errc::wrong_identity);
}

TEST(LogReaderThread, ReadsRealFilesWhileTheyAreWritten) {
  const auto directory = std::filesystem::temp_directory_path()
                         / ("gnomon_log_reader_" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  auto options = small_options();
  options.torn_directory = directory / "torn";
  options.segment_bytes = 16 * 1024;
  auto opened = log::open(system_files(), directory / "log", options);
  ASSERT_TRUE(opened) << to_string(opened.error());
  constexpr std::uint64_t frames = 3000;
  std::atomic<std::uint64_t> written = 0;
  std::uint64_t seen = 0;
  std::string problem;
  std::thread other{[&] {
    auto reader
      = log_reader::open(system_files(), directory / "log", options.id, {1});
    while (reader && problem.empty() && seen < frames) {
      const auto bound = written.load();
      const auto frame
        = (*reader)->next(bound == 0 ? read_all_written : position{bound});
      if (!frame)
        problem = to_string(frame.error());
      else if (*frame)
        seen = (*frame)->header.last().value;
    }
  }};
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    if ((*opened)->must_roll(frame_size(40))) {
      EXPECT_TRUE((*opened)->roll());
    }
    EXPECT_TRUE(append(**opened));
    written = frame + 1;
  }
  other.join();
  EXPECT_EQ(problem, "");
  EXPECT_EQ(seen, frames);
  std::filesystem::remove_all(directory);
}

} // namespace gnomon::storage
