#include "messages/record_codec.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace gnomon;
using namespace gnomon::messages;

namespace {

constexpr position at{1'000};

record sample() {
  record source;
  source.position = at;
  source.source_position = {999};
  source.key = key::make({3}, 5);
  source.scope_key = key::make({3}, 4);
  source.timestamp = {-2};
  source.record_type = record_type::command_rejection;
  source.value_type = user_value_type(1);
  source.intent = {7};
  source.rejection_type = rejection_type::invalid_state;
  source.value_version = 2;
  source.rejection_reason = "why";
  source.idempotency_key = "ik";
  source.value = std::string{"\x00\xFF", 2};
  return source;
}

bytes encode(const record& source) {
  bytes to;
  encode_record(typed_record{source}, to);
  return to;
}

errc decode_error(bytes_view from) {
  const auto found = decode_record(from, at);
  return found ? errc::none : found.error().code;
}

// Encodes a record with the byte at `offset` set to `with`.
bytes patched(std::size_t offset, char with) {
  auto encoded = encode(sample());
  encoded[offset] = with;
  return encoded;
}

} // namespace

TEST(RecordCodec, WritesTheDocumentedBytes) {
  const unsigned char golden[]
    = {63,   0,    0,    0,                            // length
       1,    3,    2,    0,                            // versions, types
       0xE9, 0x03, 7,    0,                            // value type, intent
       4,    0,    2,    0,                            // rejection, key length
       0xE7, 0x03, 0,    0,    0,    0,    0,    0,    // source position
       5,    0,    0,    0,    0,    0,    0x18, 0,    // key
       4,    0,    0,    0,    0,    0,    0x18, 0,    // scope key
       0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, // timestamp
       0,    0,    0,    0,                            // tenant
       3,    0,    0,    0,                            // reason length
       'w',  'h',  'y',  'i',  'k',  0x00, 0xFF};
  const bytes expected{reinterpret_cast<const char*>(golden), sizeof(golden)};
  EXPECT_EQ(encode(sample()), expected);
  EXPECT_EQ(encoded_size(typed_record{sample()}), expected.size());
}

TEST(RecordCodec, ReadsBackWhatItWrote) {
  const auto source = sample();
  const auto encoded = encode(source);
  bytes_view rest = encoded;
  const auto found = decode_record(rest, at);
  ASSERT_TRUE(found);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(static_cast<const record_header&>(*found), source);
  EXPECT_EQ(found->rejection_reason, source.rejection_reason);
  EXPECT_EQ(found->idempotency_key, source.idempotency_key);
  EXPECT_EQ(found->value, source.value);
}

TEST(RecordCodec, TakesOneRecordAtATime) {
  const auto encoded = encode(sample()) + encode(sample());
  bytes_view rest = encoded;
  ASSERT_TRUE(decode_record(rest, at));
  EXPECT_EQ(rest.size(), encoded.size() / 2);
  ASSERT_TRUE(decode_record(rest, at.next()));
  EXPECT_TRUE(rest.empty());
}

TEST(RecordCodec, RefusesEveryTruncation) {
  const auto encoded = encode(sample());
  for (std::size_t length = 0; length < encoded.size(); ++length) {
    bytes_view rest = bytes_view{encoded}.substr(0, length);
    const auto found = decode_record(rest, at);
    ASSERT_FALSE(found) << "cut to " << length;
    EXPECT_EQ(found.error().code, errc::corrupted) << "cut to " << length;
    EXPECT_EQ(rest.size(), length);
  }
}

TEST(RecordCodec, SurvivesEveryBitFlip) {
  const auto encoded = encode(sample());
  for (std::size_t bit = 0; bit < encoded.size() * 8; ++bit) {
    auto flipped = encoded;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    bytes_view rest = flipped;
    const auto found = decode_record(rest, at);
    if (found) {
      EXPECT_EQ(found->rejection_reason.size() + found->idempotency_key.size()
                  + found->value.size() + record_header_bytes,
                flipped.size() - rest.size());
    }
  }
}

TEST(RecordCodec, SurvivesRandomBytes) {
  std::mt19937 random{7};
  for (int run = 0; run < 20'000; ++run) {
    bytes noise(random() % 200, '\0');
    for (auto& each : noise)
      each = static_cast<char>(random());
    if (noise.size() > 4 && run % 2 == 0)
      noise.replace(0, 5, bytes{"\x80\0\0\0\1", 5});
    bytes_view rest = noise;
    if (!decode_record(rest, at)) {
      EXPECT_EQ(rest.size(), noise.size());
    }
  }
}

TEST(RecordCodec, RefusesHostileLengths) {
  for (std::size_t offset : {0u, 52u}) {
    auto encoded = encode(sample());
    encoded.replace(offset, 4, "\xFF\xFF\xFF\xFF");
    EXPECT_EQ(decode_error(encoded), errc::corrupted) << offset;
  }
  auto encoded = encode(sample());
  encoded.replace(14, 2, "\xFF\xFF");
  EXPECT_EQ(decode_error(encoded), errc::corrupted);
}

TEST(RecordCodec, TellsNewerFormatsFromDamage) {
  EXPECT_EQ(decode_error(patched(4, 2)), errc::format_too_new);
  EXPECT_EQ(decode_error(patched(4, 0)), errc::corrupted);
  EXPECT_EQ(decode_error(patched(5, 4)), errc::format_too_new);
  EXPECT_EQ(decode_error(patched(5, 0)), errc::corrupted);
  EXPECT_EQ(decode_error(patched(7, 1)), errc::format_too_new);
  EXPECT_EQ(decode_error(patched(12, 7)), errc::format_too_new);
  EXPECT_EQ(decode_error(patched(12, 0)), errc::corrupted);
}

TEST(RecordCodec, KnowsItsOwnValueTypesAndAllOfTheUsers) {
  auto source = sample();
  const auto code_for = [&](int type) {
    source.value_type = static_cast<value_type>(type);
    return decode_error(encode(source));
  };
  EXPECT_EQ(code_for(0), errc::corrupted);
  EXPECT_EQ(code_for(1), errc::none);
  EXPECT_EQ(code_for(10), errc::none);
  EXPECT_EQ(code_for(11), errc::format_too_new);
  EXPECT_EQ(code_for(999), errc::format_too_new);
  EXPECT_EQ(code_for(1'000), errc::none);
  EXPECT_EQ(code_for(65'535), errc::none);
}

TEST(RecordCodec, RefusesASourceThatIsNotBeforeTheRecord) {
  auto source = sample();
  source.source_position = {at.value - 1};
  EXPECT_EQ(decode_error(encode(source)), errc::none);
  source.source_position = at;
  EXPECT_EQ(decode_error(encode(source)), errc::corrupted);
}

TEST(RecordCodec, RefusesARecordWithoutIntent) {
  auto source = sample();
  source.intent = {0};
  EXPECT_EQ(decode_error(encode(source)), errc::corrupted);
}
