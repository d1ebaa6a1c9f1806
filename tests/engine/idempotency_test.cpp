#include "engine/idempotency.hpp"
#include "gnomon/due_index.hpp"
#include "gnomon/state_key.hpp"
#include "gnomon/v1/partition.pb.h"
#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::test;

namespace {

constexpr duration day = std::chrono::hours{24};

record expire_command(position source) {
  record made;
  made.record_type = record_type::command;
  made.value_type = value_type::idempotency;
  made.intent = {v1::IDEMPOTENCY_INTENT_EXPIRE};
  made.key = {source.value};
  return made;
}

std::optional<due_entry> first_due(engine_under_test& partition) {
  auto reading = partition.state.begin();
  return due_index::first(**reading);
}

} // namespace

TEST(RepeatedCommand, GetsTheFirstAnswerWithinOneFrame) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 2));
  const auto done = partition.batch();
  EXPECT_EQ(done.commands, 2u);
  EXPECT_EQ(partition.shape(), "C1 E2<1");
  EXPECT_EQ(partition.answer_to(1), partition.answer_to(2));
  EXPECT_EQ(partition.answer_to(1).idempotency_key, "once");
}

TEST(RepeatedCommand, WritesNothingInALaterFrameAndWaitsForTheFirstAnswer) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  partition.run();
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 2));
  const auto done = partition.batch();
  EXPECT_EQ(done.last, position{});
  EXPECT_EQ(done.commands, 1u);
  EXPECT_TRUE(partition.queue.empty());
  EXPECT_EQ(partition.log.frames().size(), 1u);
  EXPECT_EQ(partition.answer_to(1), partition.answer_to(2));
  EXPECT_EQ(partition.effects.back().after, position{2});
}

TEST(RepeatedCommand, IsRecognisedAfterReplay) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  ASSERT_TRUE(partition.ask(with_key(probe_command("reject"), "no"), 2));
  partition.run();
  partition.stop_and_forget();
  partition.start();
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 3));
  ASSERT_TRUE(partition.ask(with_key(probe_command("reject"), "no"), 4));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 R1<3");
  EXPECT_EQ(partition.answer_to(1), partition.answer_to(3));
  EXPECT_EQ(partition.answer_to(2), partition.answer_to(4));
}

TEST(RepeatedCommand, WithOtherContentIsRejectedAndTheFirstAnswerStays) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  ASSERT_TRUE(partition.ask(with_key(probe_command("a"), "once"), 2));
  ASSERT_TRUE(partition.ask(with_key(probe_command("key", 8), "once"), 3));
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 4));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 R1<3 C1 R1<5");
  EXPECT_EQ(partition.answer_to(2).rejection_type,
            rejection_type::invalid_argument);
  EXPECT_EQ(partition.answer_to(3).rejection_type,
            rejection_type::invalid_argument);
  EXPECT_EQ(partition.answer_to(1), partition.answer_to(4));
  const auto again = replay_prefix(partition.map, partition.log, 1);
  EXPECT_EQ(again.state.dump(), partition.state.dump());
}

TEST(RepeatedCommand, GetsTheRejectionOfAFailedOne) {
  engine_under_test partition;
  partition.probe.reports_failures = true;
  ASSERT_TRUE(partition.ask(with_key(probe_command("throw"), "once"), 1));
  ASSERT_TRUE(partition.ask(with_key(probe_command("throw"), "once"), 2));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1 E3<1");
  EXPECT_EQ(partition.answer_to(1), partition.answer_to(2));
  EXPECT_EQ(
    replay_prefix(partition.map, partition.log, partition.log.frames().size())
      .state.dump(),
    partition.state.dump());
}

TEST(RememberedCommand, IsForgottenByAnExpiryThatIsDue) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  partition.run();
  const auto due = first_due(partition);
  ASSERT_TRUE(due);
  EXPECT_EQ(due->due, partition.now + day);
  EXPECT_EQ(due->value_type, value_type::idempotency);
  EXPECT_EQ(due->intent.value, v1::IDEMPOTENCY_INTENT_EXPIRE);
  EXPECT_EQ(due->key, key{1});
  partition.now = due->due;
  ASSERT_TRUE(partition.propose(expire_command({1})));
  partition.run();
  EXPECT_FALSE(first_due(partition));
  EXPECT_FALSE(partition.state.dump().contains(11));
  EXPECT_FALSE(partition.state.dump().contains(12));
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 2));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 E2<3 C1 E2<5");
  EXPECT_NE(partition.answer_to(1).key, partition.answer_to(2).key);
}

TEST(RememberedCommand, IsNotForgottenEarlyNorTwice) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  partition.run();
  partition.now = timestamp{partition.now.value - 1} + day;
  ASSERT_TRUE(partition.ask(expire_command({1}), 2));
  ASSERT_TRUE(partition.ask(expire_command({2}), 3));
  partition.run();
  EXPECT_EQ(partition.answer_to(2).rejection_type,
            rejection_type::invalid_state);
  EXPECT_EQ(partition.answer_to(3).rejection_type, rejection_type::not_found);
  EXPECT_TRUE(first_due(partition));
}

TEST(IdempotencyWindow, ComesFromTheLogSoThatReplayDoesNotDependOnOptions) {
  engine_under_test partition{{.idempotency_window = duration{50}}};
  partition.live->open_epoch(1, partition.now);
  ASSERT_TRUE(partition.ask(with_key(probe_command("key"), "once"), 1));
  partition.run();
  EXPECT_EQ(first_due(partition)->due, partition.now + duration{50});
  const auto before = partition.state.dump();
  partition.options.idempotency_window = duration{70};
  partition.stop_and_forget();
  partition.start();
  EXPECT_EQ(partition.state.dump(), before);
}

TEST(ContentHash, IsStored) {
  // A change of these numbers breaks the recognition of repeats in old logs.
  EXPECT_EQ(engine::idempotency::content_hash(
              typed_record{probe_command("value", 1, 2)}),
            841982826136429969u);
}

TEST(RememberedCommand, HasTheDocumentedEntries) {
  engine_under_test partition{{.idempotency_window = duration{256}}};
  partition.live->open_epoch(1, partition.now);
  ASSERT_TRUE(partition.ask(with_key(probe_command("value", 1, 2), "ik"), 1));
  partition.run();
  const auto& state = partition.state.dump();
  // Hash of the command, due 1256 with the sign bit flipped, position 3.
  const auto& answer = state.at(11).at("ik");
  EXPECT_EQ(answer.substr(0, 24), (state_key{}
                                     .add(std::uint64_t{841982826136429969u})
                                     .add(std::int64_t{1'256})
                                     .add(std::uint64_t{3})
                                     .view()));
  EXPECT_EQ(bytes_view{partition.log.frames()[1].records}.substr(
              partition.log.frames()[1].records.size() - (answer.size() - 24)),
            answer.substr(24));
  EXPECT_EQ(state.at(12).at(bytes{"\0\0\0\0\0\0\0\2", 8}), "ik");
  EXPECT_EQ(state.at(13).at(bytes{"\0\1", 2}),
            (bytes{"\x80\0\0\0\0\0\1\0", 8}));
}
