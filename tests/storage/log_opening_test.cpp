// Each row of the table by which opening judges damage.

#include "tests/storage/log_fixture.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

/// Three frames of one record in one segment, all durable; each frame but the
/// first names the one before it as durable.
class LogOpening : public testing::Test {
protected:
  void SetUp() override {
    auto opened = open_log(*files);
    ASSERT_TRUE(opened) << to_string(opened.error());
    for (int round = 0; round < 3; ++round)
      ASSERT_TRUE(append_and_sync(**opened));
    ends = {segment_header_bytes};
    for (std::size_t frame = 1; frame <= 4; ++frame)
      ends.push_back(segment_header_bytes + frame * frame_size(40));
  }

  void flip(const path& name, std::size_t offset) {
    auto content = files->content(name);
    ASSERT_LT(offset, content.size());
    content[offset] = static_cast<char>(content[offset] ^ 1);
    files->overwrite(name, content);
  }

  void zero(const path& name, std::size_t begin, std::size_t end) {
    auto content = files->content(name);
    content.replace(begin, end - begin, end - begin, '\0');
    files->overwrite(name, content);
  }

  void cut(const path& name, std::size_t size) {
    files->overwrite(name, files->content(name).substr(0, size));
  }

  /// Appends frames without ever syncing, so that all name position 3.
  void append_unsynced(int count) {
    auto opened = open_log(*files);
    ASSERT_TRUE(opened);
    for (int round = 0; round < count; ++round)
      ASSERT_TRUE(append(**opened));
    files->cut_power({test::survivors::unsynced::all, 0});
  }

  /// Rolls and appends one frame, into a segment that begins at 4.
  void roll() {
    auto opened = open_log(*files);
    ASSERT_TRUE(opened);
    ASSERT_TRUE((*opened)->roll());
    ASSERT_TRUE(append_and_sync(**opened));
  }

  /// Puts a frame made by hand behind the third.
  void put_frame(frame_header header, log_id id = small_options().id) {
    header.id = id;
    bytes frame;
    encode_frame(header, "by hand", frame);
    auto content = files->content(segment_path(1));
    content.replace(ends[3], frame.size(), frame);
    files->overwrite(segment_path(1), content);
  }

  result<std::unique_ptr<log>> open(open_hints hints = {}) {
    return open_log(*files, hints);
  }

  void expect_last(std::uint64_t last, open_hints hints = {}) {
    const auto opened = open(hints);
    ASSERT_TRUE(opened) << to_string(opened.error());
    EXPECT_EQ((*opened)->last_position(), position{last});
    EXPECT_EQ((*opened)->durable_position(), position{last});
  }

  void expect_error(errc code, const std::string& part, open_hints hints = {}) {
    const auto before = files->content(segment_path(1));
    const auto opened = open(hints);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, code) << to_string(opened.error());
    EXPECT_NE(opened.error().context.find(part), std::string::npos)
      << opened.error().context;
    EXPECT_EQ(files->content(segment_path(1)), before);
    EXPECT_FALSE(*files->exists(torn_directory));
  }

  static open_hints durable_at_least(std::uint64_t value) {
    open_hints hints;
    hints.durable_at_least = {value};
    return hints;
  }

  std::unique_ptr<test::memory_file_system> files = partition_files();
  std::vector<std::size_t> ends;
};

} // namespace

TEST_F(LogOpening, GoesOnBehindValidFrames) {
  expect_last(3, durable_at_least(3));
}

TEST_F(LogOpening, CutsATornTailAndKeepsACopy) {
  const auto tail
    = files->content(segment_path(1)).substr(ends[2], frame_size(40) - 1);
  cut(segment_path(1), ends[3] - 1);

  const auto opened = open();

  ASSERT_TRUE(opened) << to_string(opened.error());
  const auto& report = (*opened)->report();
  EXPECT_EQ((*opened)->last_position(), position{2});
  EXPECT_EQ(report.torn_bytes, tail.size());
  EXPECT_EQ(report.torn_offset, ends[2]);
  EXPECT_EQ(report.torn_segment, segment_path(1));
  EXPECT_EQ(files->content(report.torn_copy), tail);
  EXPECT_EQ(to_string(report),
            "cut 119 bytes that were never acknowledged off "
            "/partition/log/00000000000000000001.log at offset 304, copied to "
            "/partition/torn/1-304-1.torn");
}

TEST_F(LogOpening, NamesEachTornCopyAnew) {
  for (int round = 1; round <= 2; ++round) {
    flip(segment_path(1), ends[3] - 1);
    ASSERT_TRUE(open());
    {
      auto opened = open();
      ASSERT_TRUE(append_and_sync(**opened));
    }
    EXPECT_TRUE(*files->exists(torn_directory
                               / ("1-304-" + std::to_string(round) + ".torn")));
  }
}

TEST_F(LogOpening, StartsOnAFullDeviceWithoutACopy) {
  flip(segment_path(1), ends[3] - 1);
  files->limit_bytes(files->used_bytes());
  const auto opened = open();
  ASSERT_TRUE(opened) << to_string(opened.error());
  EXPECT_EQ((*opened)->last_position(), position{2});
  EXPECT_TRUE((*opened)->report().torn_copy.empty());
  EXPECT_GT((*opened)->report().torn_bytes, 0u);
}

TEST_F(LogOpening, DamageAtTheDurablePositionOfALaterFrameIsCorruption) {
  // The third frame names position 2.
  flip(segment_path(1), ends[2] - 1);
  expect_error(errc::corrupted, "00000000000000000001.log, offset 184, "
                                "position 2");
}

TEST_F(LogOpening, DamageAboveAllDurablePositionsIsCutWithWhatLiesBehind) {
  append_unsynced(3);
  flip(segment_path(1), ends[4] - 1);
  const auto opened = open();
  ASSERT_TRUE(opened) << to_string(opened.error());
  EXPECT_EQ((*opened)->last_position(), position{3});
  EXPECT_EQ((*opened)->report().torn_bytes, 3 * frame_size(40));
}

TEST_F(LogOpening, AnUnwrittenHoleIsJudgedAsDamageIs) {
  append_unsynced(3);
  zero(segment_path(1), ends[3], ends[4]);
  expect_last(3);
}

TEST_F(LogOpening, ALostFrameBelowTheDurablePositionIsCorruption) {
  append_unsynced(2);
  zero(segment_path(1), ends[2], ends[3]);
  expect_error(errc::corrupted, "offset 304, position 3");
}

TEST_F(LogOpening, EndingBelowAKnownDurablePositionIsLostData) {
  zero(segment_path(1), ends[2], ends[3]);
  expect_error(errc::lost_data, "offset 304, position 3", durable_at_least(3));
  expect_last(2, durable_at_least(2));
}

TEST_F(LogOpening, DamageAtAKnownDurablePositionIsCorruption) {
  flip(segment_path(1), ends[3] - 1);
  expect_error(errc::corrupted, "offset 304, position 3", durable_at_least(3));
  expect_last(2, durable_at_least(2));
}

TEST_F(LogOpening, AnEmptyDirectoryBelowAKnownDurablePositionIsLostData) {
  ASSERT_TRUE(files->remove(segment_path(1)));
  expect_error(errc::lost_data, "position 1", durable_at_least(1));
  expect_last(0);
}

TEST_F(LogOpening, DamageInASealedSegmentIsCorruption) {
  roll();
  flip(segment_path(1), ends[3] - 1);
  expect_error(errc::corrupted, "offset 304, position 3");
}

TEST_F(LogOpening, ASealedSegmentCutAtAFrameIsAMissingPart) {
  roll();
  cut(segment_path(1), ends[2]);
  expect_error(errc::missing_segment, "position 3");
}

TEST_F(LogOpening, AMissingSegmentIsNamed) {
  roll();
  {
    auto opened = open();
    ASSERT_TRUE((*opened)->roll());
  }
  ASSERT_TRUE(files->remove(segment_path(4)));
  expect_error(errc::missing_segment, "position 4");
}

TEST_F(LogOpening, SegmentsThatOverlapComeFromTwoWriters) {
  roll();
  segment_header header;
  header.id = small_options().id;
  header.first = {3};
  files->overwrite(segment_path(3), encode_segment_header(header));
  expect_error(errc::two_writers, "position 3");
}

TEST_F(LogOpening, ASegmentWithAnotherChainIsCorruption) {
  roll();
  segment_header header;
  header.id = small_options().id;
  header.first = {4};
  header.previous = {1};
  files->overwrite(segment_path(4), encode_segment_header(header));
  expect_error(errc::corrupted, "00000000000000000004.log");
}

TEST_F(LogOpening, ALastSegmentWithoutBytesIsDeleted) {
  for (const std::size_t size : {0, 1, 63, 64}) {
    files->overwrite(segment_path(4), bytes(size, '\0'));
    const auto opened = open(durable_at_least(3));
    ASSERT_TRUE(opened) << to_string(opened.error());
    EXPECT_EQ((*opened)->last_position(), position{3});
    EXPECT_EQ((*opened)->report().segments_deleted, 1u);
    EXPECT_FALSE(*files->exists(segment_path(4)));
  }
}

TEST_F(LogOpening, ALastSegmentWithATornHeaderIsDeletedIfItHoldsNothing) {
  files->overwrite(segment_path(4), bytes(40, 'x') + bytes(984, '\0'));
  expect_last(3);
}

TEST_F(LogOpening, ALastSegmentWithATornHeaderAndFramesIsCorruption) {
  roll();
  flip(segment_path(4), 8);
  expect_error(errc::corrupted, "00000000000000000004.log, offset 0");
}

TEST_F(LogOpening, TheNameOfATornSegmentProvesTheOneBeforeDurable) {
  files->overwrite(segment_path(4), {});
  flip(segment_path(1), ends[3] - 1);
  expect_error(errc::corrupted, "offset 304, position 3");
}

TEST_F(LogOpening, TheOnlySegmentOfACompactedLogMustHaveAHeader) {
  roll();
  {
    auto opened = open();
    ASSERT_TRUE((*opened)->roll());
    ASSERT_TRUE((*opened)->compact({5}));
  }
  flip(segment_path(5), 8);
  expect_error(errc::corrupted, "00000000000000000005.log, offset 0");
}

TEST_F(LogOpening, ANewerSegmentIsRefusedAndNothingTouched) {
  segment_header header;
  header.id = small_options().id;
  header.first = {4};
  header.version = log_format_version + 1;
  files->overwrite(segment_path(4), encode_segment_header(header));
  files->overwrite(log_directory / "leftover.tmp", "x");
  flip(segment_path(1), ends[3] - 1);
  expect_error(errc::format_too_new, "00000000000000000004.log");
  EXPECT_TRUE(*files->exists(log_directory / "leftover.tmp"));
}

TEST_F(LogOpening, ANewerFrameIsRefused) {
  frame_header header;
  header.first = {4};
  header.record_count = 1;
  header.version = log_format_version + 1;
  put_frame(header);
  expect_error(errc::format_too_new, "offset 424, position 4");
}

TEST_F(LogOpening, ARepeatedPositionComesFromTwoWriters) {
  frame_header header;
  header.first = {3};
  header.record_count = 1;
  put_frame(header);
  expect_error(errc::two_writers, "offset 424, position 4");
}

TEST_F(LogOpening, AFallingEpochComesFromTwoWriters) {
  chain_value chain;
  {
    auto opened = open();
    (*opened)->begin_epoch(2);
    ASSERT_TRUE(append_and_sync(**opened));
    chain = (*opened)->chain();
  }
  ends[3] = ends[4];
  frame_header header;
  header.first = {5};
  header.record_count = 1;
  header.previous = chain;
  header.epoch = 1;
  put_frame(header);
  expect_error(errc::two_writers, "epoch 1");
}

TEST_F(LogOpening, AFrameOfAnotherChainIsNotBelieved) {
  frame_header header;
  header.first = {4};
  header.record_count = 1;
  header.previous = {123};
  put_frame(header);
  expect_last(3);
}

TEST_F(LogOpening, AFrameOfAnotherLogIsNotBelieved) {
  frame_header header;
  header.first = {4};
  header.record_count = 1;
  header.previous = (*read_frames(*files)).back().header.checksum;
  put_frame(header, {1});
  expect_last(3);
  // The same with the right log is believed.
  put_frame(header);
  expect_last(4);
}

TEST_F(LogOpening, AFallingEpochOfASegmentComesFromTwoWriters) {
  {
    auto opened = open();
    (*opened)->begin_epoch(2);
    ASSERT_TRUE(append_and_sync(**opened));
    ASSERT_TRUE((*opened)->roll());
  }
  auto header = *decode_segment_header(files->content(segment_path(5)));
  header.epoch = 1;
  files->overwrite(segment_path(5), encode_segment_header(header));
  expect_error(errc::two_writers, "epoch 1 behind epoch 2");
}

TEST_F(LogOpening, AFallingEpochOfAHeaderComesFromTwoWriters) {
  roll();
  auto header = *decode_segment_header(files->content(segment_path(1)));
  header.epoch = 1;
  files->overwrite(segment_path(1), encode_segment_header(header));
  open_hints hints;
  hints.verify_from = {4};
  expect_error(errc::two_writers, "epoch 0 behind epoch 1", hints);
}

TEST_F(LogOpening, ASegmentOfAnotherLogIsRefused) {
  auto options = small_options();
  options.id = {1};
  const auto opened = log::open(*files, log_directory, options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::wrong_identity);
}

TEST_F(LogOpening, DeletesFilesInTheMakingAndKeepsStrangers) {
  files->overwrite(log_directory / "00000000000000000004.log.tmp", "x");
  files->overwrite(log_directory / "notes.txt", "x");
  ASSERT_TRUE(open());
  EXPECT_FALSE(*files->exists(log_directory / "00000000000000000004.log.tmp"));
  EXPECT_TRUE(*files->exists(log_directory / "notes.txt"));
}

TEST_F(LogOpening, ChecksSegmentsWhollyBelowByTheirHeadersOnly) {
  roll();
  flip(segment_path(1), ends[1] - 1);
  open_hints hints;
  hints.verify_from = {3};
  expect_error(errc::corrupted, "position 1", hints);
  hints.verify_from = {4};
  expect_last(4, hints);
  flip(segment_path(1), 8);
  expect_error(errc::corrupted, "offset 0", hints);
}

TEST_F(LogOpening, DoesNotTakeACopyOfAFrameInARecordForAFrame) {
  const auto copied
    = files->content(segment_path(1)).substr(ends[0], frame_size(40));
  {
    auto opened = open();
    ASSERT_TRUE((*opened)->seal({{4}, 1, 1, copied}));
    ASSERT_TRUE((*opened)->write());
  }
  flip(segment_path(1), ends[3]);
  expect_last(3);
}

TEST_F(LogOpening, VerifyingReportsWithoutTouching) {
  cut(segment_path(1), ends[3] - 1);
  const auto before = files->content(segment_path(1));
  const auto survey = verify_log(*files, log_directory, small_options().id);
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->last, position{2});
  EXPECT_EQ(survey->frames_verified, 2u);
  EXPECT_EQ(survey->torn_bytes, frame_size(40) - 1);
  EXPECT_EQ(files->content(segment_path(1)), before);
}

} // namespace gnomon::storage
