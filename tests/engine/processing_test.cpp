#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::test;
using engine::batch_status;

TEST(Processing, LogsACommandBeforeItsOutcomes) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("hello")));
  const auto done = partition.batch();
  EXPECT_EQ(done.status, batch_status::processed);
  EXPECT_EQ(done.first, position{1});
  EXPECT_EQ(done.last, position{2});
  EXPECT_EQ(done.commands, 1u);
  EXPECT_FALSE(done.more_work);
  EXPECT_EQ(partition.shape(), "C1 E2<1");
  EXPECT_TRUE(partition.queue.empty());
}

TEST(Processing, StampsEveryRecordWithPartitionTime) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a")));
  partition.run();
  partition.now = {500};
  ASSERT_TRUE(partition.ask(probe_command("b")));
  partition.run();
  for (const auto& each : partition.log.records())
    EXPECT_EQ(each.timestamp, timestamp{1'000});
  EXPECT_EQ(partition.live->bookkeeping().partition_time, timestamp{1'000});
}

TEST(Processing, TakesOnlyFromACommandWhatAClientMayChoose) {
  engine_under_test partition;
  auto command = probe_command("a", 7, 8);
  command.position = {77};
  command.source_position = {66};
  command.timestamp = {5};
  command.rejection_type = rejection_type::not_found;
  command.rejection_reason = "nonsense";
  command.tenant = 9;
  ASSERT_TRUE(partition.ask(command));
  partition.run();
  const auto logged = partition.log.records()[0];
  EXPECT_EQ(logged.position, position{1});
  EXPECT_EQ(logged.source_position, position{});
  EXPECT_EQ(logged.timestamp, partition.now);
  EXPECT_EQ(logged.rejection_type, rejection_type::unspecified);
  EXPECT_EQ(logged.rejection_reason, "");
  EXPECT_EQ(logged.tenant, 0u);
  EXPECT_EQ(logged.key, key{7});
  EXPECT_EQ(logged.scope_key, key{8});
}

TEST(Processing, AnswersWithTheFirstOutcomeOnceItsFrameIsDurable) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("follow done"), 11));
  ASSERT_TRUE(partition.ask(probe_command("reject"), 12));
  const auto done = partition.batch();
  const auto answers = partition.replies();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].request, 11u);
  EXPECT_EQ(answers[0].answer, partition.log.records()[1]);
  EXPECT_EQ(answers[1].request, 12u);
  EXPECT_EQ(answers[1].answer.rejection_type, rejection_type::invalid_state);
  for (const auto& each : partition.effects)
    EXPECT_EQ(each.after, done.last);
}

TEST(Processing, AnswersNobodyWhoDoesNotWait) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a"), 0));
  partition.run();
  EXPECT_TRUE(partition.effects.empty());
}

TEST(Processing, HandsDeliveriesOverWithTheirFrame) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("deliver this", 9)));
  const auto done = partition.batch();
  ASSERT_EQ(partition.effects.size(), 1u);
  const auto& sent = std::get<engine::delivery>(partition.effects[0].what);
  EXPECT_EQ(sent.channel, "sink");
  EXPECT_EQ(sent.key, key{9});
  EXPECT_EQ(sent.content, "this");
  EXPECT_EQ(partition.effects[0].after, done.last);
}

TEST(Processing, LogsAFollowUpOnceAndProcessesItBeforeTheNextClient) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("follow follow end")));
  ASSERT_TRUE(partition.ask(probe_command("other")));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1<1 E2<3 C1<3 E2<5 C1 E2<7");
}

TEST(Processing, ProcessesFollowUpsFirstInALaterBatch) {
  engine_under_test partition{{.commands_per_batch_max = 1}};
  ASSERT_TRUE(partition.ask(probe_command("follow end")));
  ASSERT_TRUE(partition.ask(probe_command("other")));
  const auto first = partition.batch();
  EXPECT_TRUE(first.more_work);
  EXPECT_EQ(partition.live->outstanding_count(), 1u);
  const auto second = partition.batch();
  EXPECT_EQ(second.commands, 1u);
  EXPECT_EQ(partition.queue.size(), 1u);
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1<1 E2<3 C1 E2<5");
  EXPECT_EQ(partition.log.frames().size(), 3u);
}

TEST(Processing, TakesAtMostTheBatchLimit) {
  engine_under_test partition{{.commands_per_batch_max = 3}};
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(partition.ask(probe_command("a")));
  EXPECT_EQ(partition.batch().commands, 3u);
  EXPECT_EQ(partition.batch().commands, 1u);
}

TEST(Processing, WritesNothingWhenThereIsNothing) {
  engine_under_test partition;
  const auto done = partition.batch();
  EXPECT_EQ(done.status, batch_status::processed);
  EXPECT_EQ(done.last, position{});
  EXPECT_TRUE(partition.log.frames().empty());
}

TEST(Processing, RejectsForAProcessorThatAppendsNothing) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("silent"), 1));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1");
  EXPECT_EQ(partition.answer_to(1).rejection_type,
            rejection_type::processing_failed);
}

TEST(Processing, DrawsKeysOfThePartitionWithoutGaps) {
  engine_under_test partition;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(partition.ask(probe_command("key")));
  partition.run();
  const auto all = partition.log.records();
  EXPECT_EQ(all[1].key, key::make(owner, 1));
  EXPECT_EQ(all[3].key, key::make(owner, 2));
  EXPECT_EQ(partition.log.frames().back().next_key, 3u);
}

TEST(Processing, KeepsBookWithEveryFrame) {
  engine_under_test partition{{.commands_per_batch_max = 1}};
  ASSERT_TRUE(partition.ask(probe_command("follow end")));
  partition.batch();
  auto reading = partition.state.begin();
  ASSERT_TRUE(reading);
  const auto book = storage::bookkeeping::load(**reading);
  ASSERT_TRUE(book && *book);
  EXPECT_EQ((*book)->last_applied, position{3});
  EXPECT_EQ((*book)->last_processed, position{1});
  EXPECT_EQ((*book)->chain, partition.log.frames().back().chain);
  EXPECT_EQ(**book, partition.live->bookkeeping());
}

TEST(Processing, HasProcessedAllWhenNothingIsOutstanding) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("follow end")));
  partition.run();
  const auto& book = partition.live->bookkeeping();
  EXPECT_EQ(book.last_processed, book.last_applied);
}

TEST(Processing, OpensAnEpochWithAFrameOfItsOwn) {
  engine_under_test partition;
  const auto done = partition.live->open_epoch(4, partition.now);
  EXPECT_EQ(done.status, batch_status::processed);
  EXPECT_EQ(done.last, position{1});
  ASSERT_EQ(partition.log.frames().size(), 1u);
  const auto opened = partition.log.records()[0];
  EXPECT_EQ(opened.value_type, value_type::partition);
  EXPECT_EQ(opened.record_type, record_type::event);
  EXPECT_EQ(opened.source_position, position{});
}
