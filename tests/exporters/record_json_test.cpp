#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "exporters/record_json.hpp"
#include <random>

namespace gnomon::exporters {

namespace {

v1::Record full_record() {
  v1::Record source;
  source.set_position(18'446'744'073'709'551'615u);
  source.set_source_position(2);
  source.set_key(3);
  source.set_scope_key(4);
  source.set_timestamp_ms(-5);
  source.set_record_type(v1::RECORD_TYPE_COMMAND_REJECTION);
  source.set_value_type(1);
  source.set_intent(2);
  source.set_rejection_type(v1::REJECTION_TYPE_NOT_FOUND);
  source.set_rejection_reason("expected a timer");
  source.set_idempotency_key("k1");
  source.set_value("any");
  source.set_value_version(1);
  return source;
}

void expect_to_read_back(const v1::Record& source) {
  std::string text;
  append_json(source, text);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  v1::Record read;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(text, &read).ok())
    << text;
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(read, source))
    << text;
}

} // namespace

TEST(RecordJson, IsWhatProtobufMakesOfARecord) {
  std::string wanted;
  ASSERT_TRUE(
    google::protobuf::util::MessageToJsonString(full_record(), &wanted).ok());
  std::string text;
  append_json(full_record(), text);
  EXPECT_EQ(text, wanted);
}

TEST(RecordJson, LeavesOutWhatIsEmpty) {
  std::string text;
  append_json({}, text);
  EXPECT_EQ(text, "{}");
}

TEST(RecordJson, ReadsBackWhateverTheTextsHold) {
  auto source = full_record();
  source.set_rejection_reason("\"quoted\" \\ \n\t\x01\x7F <ä>");
  source.set_idempotency_key("日本");
  expect_to_read_back(source);
}

TEST(RecordJson, ReadsBackValuesOfAnyLength) {
  std::mt19937 random{1};
  auto source = full_record();
  for (std::size_t length = 0; length < 50; ++length) {
    std::string value;
    for (std::size_t i = 0; i < length; ++i)
      value += static_cast<char>(random());
    source.set_value(value);
    expect_to_read_back(source);
  }
}

TEST(RecordJson, GivesNumbersThatHaveNoNameAsNumbers) {
  auto source = full_record();
  source.set_rejection_type(static_cast<v1::RejectionType>(77));
  expect_to_read_back(source);
}

} // namespace gnomon::exporters
