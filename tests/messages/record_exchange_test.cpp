#include "messages/record_exchange.hpp"

#include <gtest/gtest.h>

#include <utility>

using namespace gnomon;
using namespace gnomon::messages;

namespace {

record sample() {
  record source;
  source.position = {8};
  source.source_position = {7};
  source.key = {1};
  source.scope_key = {2};
  source.timestamp = {-5};
  source.record_type = record_type::command_rejection;
  source.value_type = user_value_type(3);
  source.intent = {4};
  source.rejection_type = rejection_type::not_found;
  source.value_version = 9;
  source.rejection_reason = "why";
  source.idempotency_key = "ik";
  source.value = std::string{"\0\xFF", 2};
  return source;
}

v1::Record exchanged(record source) {
  v1::Record result;
  to_exchange(std::move(source), result);
  return result;
}

errc code_of(const v1::Record& source) {
  const auto made = from_exchange(source);
  return made ? errc::none : made.error().code;
}

} // namespace

TEST(RecordExchange, ComesBackAsItWent) {
  const auto source = sample();
  v1::Record sent;
  ASSERT_TRUE(sent.ParseFromString(exchanged(source).SerializeAsString()));
  const auto back = from_exchange(sent);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, source);
}

TEST(RecordExchange, ReadsNoVersionAsTheFirst) {
  auto sent = exchanged(sample());
  sent.clear_value_version();
  const auto back = from_exchange(sent);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->value_version, 1);
}

TEST(RecordExchange, RefusesNumbersThatDoNotFit) {
  auto sent = exchanged(sample());
  sent.set_value_type(65'535);
  EXPECT_EQ(code_of(sent), errc::none);
  sent.set_value_type(65'536);
  EXPECT_EQ(code_of(sent), errc::invalid_argument);
  sent = exchanged(sample());
  sent.set_intent(65'536);
  EXPECT_EQ(code_of(sent), errc::invalid_argument);
  sent.set_intent(0);
  EXPECT_EQ(code_of(sent), errc::invalid_argument);
  sent = exchanged(sample());
  sent.set_value_version(256);
  EXPECT_EQ(code_of(sent), errc::invalid_argument);
}

TEST(RecordExchange, TellsNewerKindsFromMissingOnes) {
  auto sent = exchanged(sample());
  sent.set_record_type(static_cast<v1::RecordType>(4));
  EXPECT_EQ(code_of(sent), errc::format_too_new);
  sent.set_record_type(v1::RECORD_TYPE_UNSPECIFIED);
  EXPECT_EQ(code_of(sent), errc::invalid_argument);
}
