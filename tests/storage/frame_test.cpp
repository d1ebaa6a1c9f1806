// Layout of frames and of segment headers.

#include "storage/frame.hpp"
#include "storage/segment.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace gnomon::storage {

namespace {

frame_header example_header() {
  frame_header header;
  header.id = {0x1122334455667788};
  header.epoch = 3;
  header.first = {1};
  header.record_count = 2;
  header.durable = {0};
  header.next_key = 5;
  return header;
}

segment_header example_segment_header() {
  segment_header header;
  header.id = {0x1122334455667788};
  header.epoch = 3;
  header.first = {1};
  return header;
}

/// Returns the segment of the worked example in docs/formats/log.md.
bytes example_segment() {
  auto all = encode_segment_header(example_segment_header());
  bytes frame;
  auto header = example_header();
  const auto checksum = encode_frame(header, "two records", frame);
  all += frame;
  header.first = {3};
  header.record_count = 1;
  header.durable = {2};
  header.next_key = 6;
  header.previous = checksum;
  encode_frame(header, "a record", frame);
  all += frame;
  return all;
}

bytes read_file(const std::string& name) {
  std::ifstream source{std::string{GNOMON_TEST_DATA} + "/" + name,
                       std::ios::binary};
  return {std::istreambuf_iterator<char>{source}, {}};
}

} // namespace

TEST(Frame, ReadsWhatItWrote) {
  bytes frame;
  auto header = example_header();
  header.checksum = encode_frame(header, "two records", frame);
  header.body_bytes = 11;

  const auto decoded = decode_frame_header(frame);

  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, header);
  EXPECT_EQ(decoded->last(), position{2});
  EXPECT_TRUE(has_valid_checksum(frame));
}

TEST(Frame, IsNotValidWithZeroInPlaceOfItsChecksum) {
  bytes frame;
  encode_frame(example_header(), "two records", frame);
  frame.replace(0, 8, 8, '\0');
  EXPECT_FALSE(has_valid_checksum(frame));
}

TEST(Frame, TakesAMultipleOfEightBytes) {
  EXPECT_EQ(frame_size(0), frame_header_bytes);
  EXPECT_EQ(frame_size(1), frame_header_bytes + 8);
  EXPECT_EQ(frame_size(8), frame_header_bytes + 8);
  EXPECT_EQ(frame_size(9), frame_header_bytes + 16);
}

TEST(Frame, NoticesEveryFlippedBitIncludingPadding) {
  bytes frame;
  encode_frame(example_header(), "two records", frame);
  for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
    auto damaged = frame;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto header = decode_frame_header(damaged);
    EXPECT_FALSE(header && has_valid_checksum(damaged)) << "bit " << bit;
  }
}

TEST(Frame, ZerosAreNoFrame) {
  EXPECT_FALSE(decode_frame_header(bytes(frame_header_bytes, '\0')));
  EXPECT_FALSE(has_valid_checksum(bytes(frame_header_bytes, '\0')));
}

TEST(Frame, RefusesLengthsBeyondTheLimitEvenIfTheComplementFits) {
  bytes frame;
  encode_frame(example_header(), "two records", frame);
  const auto set_length = [&](std::uint32_t length) {
    for (int index = 0; index < 4; ++index) {
      frame[16 + index] = static_cast<char>(length >> 8 * index);
      frame[20 + index] = static_cast<char>(~length >> 8 * index);
    }
  };
  set_length(0xFFFFFFFF);
  EXPECT_FALSE(decode_frame_header(frame));
  set_length(frame_bytes_limit);
  EXPECT_FALSE(decode_frame_header(frame));
  set_length(frame_bytes_limit - 1);
  EXPECT_TRUE(decode_frame_header(frame));
}

TEST(SegmentHeader, ReadsWhatItWrote) {
  auto header = example_segment_header();
  header.previous = {77};
  header.durable = {41};
  header.next_key = 9;

  EXPECT_EQ(decode_segment_header(encode_segment_header(header)), header);
}

TEST(SegmentHeader, NoticesEveryFlippedBitAndEveryCut) {
  const auto intact = encode_segment_header(example_segment_header());
  for (std::size_t bit = 0; bit < intact.size() * 8; ++bit) {
    auto damaged = intact;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decode_segment_header(damaged)) << "bit " << bit;
  }
  for (std::size_t size = 0; size < intact.size(); ++size)
    EXPECT_FALSE(decode_segment_header(bytes_view{intact}.substr(0, size)));
}

TEST(SegmentName, IsThePositionInTwentyDigits) {
  EXPECT_EQ(segment_name({1}), "00000000000000000001.log");
  EXPECT_EQ(parse_segment_name("00000000000000000001.log"), position{1});
  EXPECT_EQ(parse_segment_name("18446744073709551615.log"),
            position{UINT64_MAX});
}

TEST(SegmentName, IsNothingElse) {
  for (const auto* name :
       {"", "1.log", "00000000000000000000.log", "0000000000000000001.log",
        "00000000000000000001.log.tmp", "0000000000000000000x.log",
        "18446744073709551616.log", "-0000000000000000001.log"})
    EXPECT_FALSE(parse_segment_name(name)) << name;
}

TEST(LogFormat, EqualsTheGoldenSegment) {
  const auto golden = read_file("log_segment_v1.bin");
  ASSERT_FALSE(golden.empty());
  EXPECT_EQ(example_segment(), golden);
}

} // namespace gnomon::storage
