// Torn tails at every byte, flipped bits at every place, hostile lengths.

#include "tests/storage/log_fixture.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

constexpr std::size_t frame_bytes = frame_header_bytes + 40;

/// Ten frames in two segments; frame 10 was never synced.
class DamagedLog : public testing::Test {
protected:
  void SetUp() override {
    auto opened = open_log(*files);
    ASSERT_TRUE(opened) << to_string(opened.error());
    for (int round = 0; round < 9; ++round) {
      if (round == 5) {
        ASSERT_TRUE((*opened)->roll());
      }
      ASSERT_TRUE(append_and_sync(**opened));
    }
    ASSERT_TRUE(append(**opened));
    frames = *read_frames(*files);
    ASSERT_EQ(frames.size(), 10u);
  }

  /// Opens a copy of the log with one segment replaced.
  errc outcome_with(std::uint64_t segment, const bytes& content) {
    auto copy = files->clone();
    copy->overwrite(segment_path(segment), content);
    open_hints hints;
    hints.durable_at_least = {9};
    const auto opened = open_log(*copy, hints);
    if (!opened)
      return opened.error().code;
    const auto found = read_frames(*copy);
    EXPECT_TRUE(found);
    // Nothing is invented: what is there is a prefix of what was written.
    EXPECT_LE(found->size(), frames.size());
    EXPECT_TRUE(std::equal(found->begin(), found->end(), frames.begin()));
    last = (*opened)->last_position();
    return errc::none;
  }

  std::unique_ptr<test::memory_file_system> files = partition_files();
  std::vector<frame_copy> frames;
  position last;
};

} // namespace

TEST_F(DamagedLog, IsCutWhereverTheLastFrameIsTorn) {
  const auto intact = files->content(segment_path(6));
  const auto begin = segment_header_bytes + 4 * frame_bytes;
  for (const char filler : {'\0', '\xFF', 'x'}) {
    for (std::size_t size = 0; size < frame_bytes; ++size) {
      SCOPED_TRACE("torn at byte " + std::to_string(size));
      auto torn = intact;
      torn.replace(begin + size, frame_bytes - size, frame_bytes - size,
                   filler);
      ASSERT_EQ(outcome_with(6, torn), errc::none);
      // Filling up with what was there leaves the frame whole.
      ASSERT_EQ(last, torn == intact ? position{10} : position{9});
    }
  }
}

TEST_F(DamagedLog, IsCutWhereverTheFileEnds) {
  const auto intact = files->content(segment_path(6));
  const auto begin = segment_header_bytes + 4 * frame_bytes;
  for (std::size_t size = 0; size <= frame_bytes; ++size) {
    ASSERT_EQ(outcome_with(6, intact.substr(0, begin + size)), errc::none);
    ASSERT_EQ(last, size == frame_bytes ? position{10} : position{9});
  }
}

TEST_F(DamagedLog, NoticesEveryFlippedBitOfASealedSegment) {
  const auto intact = files->content(segment_path(1));
  ASSERT_EQ(intact.size(), segment_header_bytes + 5 * frame_bytes);
  for (std::size_t bit = 0; bit < intact.size() * 8; ++bit) {
    auto damaged = intact;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    ASSERT_EQ(outcome_with(1, damaged), errc::corrupted) << "bit " << bit;
  }
}

TEST_F(DamagedLog, NoticesEveryFlippedBitOfTheActiveSegment) {
  const auto intact = files->content(segment_path(6));
  const auto durable_end = segment_header_bytes + 4 * frame_bytes;
  for (std::size_t bit = 0; bit < (durable_end + frame_bytes + 16) * 8; ++bit) {
    auto damaged = intact;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto outcome = outcome_with(6, damaged);
    if (bit < durable_end * 8) {
      ASSERT_EQ(outcome, errc::corrupted) << "bit " << bit;
      continue;
    }
    ASSERT_EQ(outcome, errc::none) << "bit " << bit;
    const auto is_in_frame = bit < (durable_end + frame_bytes) * 8;
    ASSERT_EQ(last, is_in_frame ? position{9} : position{10}) << "bit " << bit;
  }
}

TEST_F(DamagedLog, BelievesNoHostileLength) {
  const auto intact = files->content(segment_path(6));
  const auto begin = segment_header_bytes + 4 * frame_bytes;
  for (const std::uint32_t length :
       {std::uint32_t{0}, std::uint32_t{0x7FFFFFFF}, std::uint32_t{0xFFFFFFFF},
        std::uint32_t{frame_bytes_limit - 1}}) {
    auto damaged = intact;
    for (std::size_t index = 0; index < 4; ++index) {
      damaged[begin + 16 + index] = static_cast<char>(length >> 8 * index);
      damaged[begin + 20 + index] = static_cast<char>(~length >> 8 * index);
    }
    ASSERT_EQ(outcome_with(6, damaged), errc::none);
    ASSERT_EQ(last, position{9});
  }
}

TEST_F(DamagedLog, SwappedFramesAreNoticed) {
  const auto intact = files->content(segment_path(1));
  const auto frame = [&](std::size_t index) {
    return intact.substr(segment_header_bytes + index * frame_bytes,
                         frame_bytes);
  };
  const auto head = intact.substr(0, segment_header_bytes);
  EXPECT_EQ(outcome_with(1, head + frame(0) + frame(2) + frame(1) + frame(3)
                              + frame(4)),
            errc::corrupted);
  EXPECT_EQ(outcome_with(1, head + frame(0) + frame(0) + frame(2) + frame(3)
                              + frame(4)),
            errc::two_writers);
}

} // namespace gnomon::storage
