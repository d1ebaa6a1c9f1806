#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::test;
using engine::batch_status;

namespace {

// Asks `count` harmless commands, the one at `poisoned` being `word` instead.
void ask_all(engine_under_test& partition, std::size_t count,
             std::size_t poisoned, const std::string& word) {
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_TRUE(partition.ask(
      probe_command(i == poisoned ? word : "deliver x", 7), i + 1));
}

std::size_t delivery_count(const engine_under_test& partition) {
  std::size_t count = 0;
  for (const auto& each : partition.effects)
    count += std::holds_alternative<engine::delivery>(each.what);
  return count;
}

} // namespace

class PoisonCommand : public testing::TestWithParam<const char*> {};

TEST_P(PoisonCommand, OfAHundredIsIsolatedAndOnlyItIsRejected) {
  engine_under_test partition;
  ask_all(partition, 100, 70, GetParam());
  partition.run();
  const auto all = partition.log.records();
  ASSERT_EQ(all.size(), 200u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].position.value, i + 1);
    const auto expected = i == 141 ? record_type::command_rejection
                          : i % 2  ? record_type::event
                                   : record_type::command;
    EXPECT_EQ(all[i].record_type, expected) << i;
  }
  EXPECT_EQ(all[141].rejection_type, rejection_type::processing_failed);
  EXPECT_EQ(delivery_count(partition), 99u);
  EXPECT_EQ(partition.replies().size(), 100u);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(partition.replies()[i].request, i + 1);
  EXPECT_EQ(partition.log.frames().back().next_key, 1u);
}

TEST_P(PoisonCommand, LeavesNothingBehindButItsRejection) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command(GetParam())));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1");
  EXPECT_TRUE(partition.state.dump_without_bookkeeping().empty());
  EXPECT_TRUE(partition.effects.empty());
  EXPECT_EQ(partition.live->outstanding_count(), 0u);
  EXPECT_EQ(partition.live->bookkeeping().next_key, 1u);
}

INSTANTIATE_TEST_SUITE_P(Ways, PoisonCommand,
                         testing::Values("throw", "throw_int", "throw_late",
                                         "follow_only", "unknown_event",
                                         "unknown_command", "broken", "bad_put",
                                         "reject_oddly"));

TEST(BatchLimit, IsHalvedAtAFailureAndGrowsBack) {
  engine_under_test partition;
  ask_all(partition, 100, 99, "throw");
  EXPECT_EQ(partition.batch().commands, 50u);
  EXPECT_EQ(partition.live->batch_limit(), 100u);
  while (!partition.queue.empty())
    partition.batch();
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(partition.ask(probe_command("a")));
  while (!partition.queue.empty())
    partition.batch();
  EXPECT_EQ(partition.live->batch_limit(), 100u);
}

TEST(FailedBatch, KeepsTheTimestampsOfItsCommands) {
  engine_under_test partition;
  ask_all(partition, 4, 3, "throw");
  for (int i = 0; i < 10 && !partition.queue.empty(); ++i) {
    partition.batch();
    partition.now = {partition.now.value + 1};
  }
  for (const auto& each : partition.log.records())
    EXPECT_EQ(each.timestamp, timestamp{1'000});
  ASSERT_TRUE(partition.ask(probe_command("later")));
  partition.run();
  EXPECT_EQ(partition.log.records().back().timestamp, partition.now);
}

TEST(FailedCommand, KeepsWhatItsProcessorSaysBehindTheRejection) {
  engine_under_test partition;
  partition.probe.reports_failures = true;
  ASSERT_TRUE(partition.ask(probe_command("throw_late"), 1));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1 E3<1");
  EXPECT_EQ(partition.answer_to(1), partition.log.records()[1]);
}

TEST(FailedCommand, IsRejectedInTheWordsOfItsProcessor) {
  engine_under_test partition;
  partition.probe.rejects_failures = true;
  ASSERT_TRUE(partition.ask(probe_command("throw"), 1));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1");
  EXPECT_EQ(partition.answer_to(1).rejection_type, rejection_type::not_found);
  EXPECT_EQ(partition.answer_to(1).rejection_reason, "in its own words");
}

TEST(FailedCommand, IsRejectedEvenIfItsProcessorThrowsAboutIt) {
  engine_under_test partition;
  partition.probe.throws_about_failures = true;
  ASSERT_TRUE(partition.ask(probe_command("throw"), 1));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1");
  EXPECT_NE(partition.answer_to(1).rejection_reason.find("poison"),
            std::string::npos);
}

TEST(FailedFollowUp, IsRejectedWithoutASecondRecord) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("follow throw")));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1<1 R1<3");
}

TEST(Retry, BacksOffLongerEachTimeAndSucceeds) {
  engine_under_test partition;
  partition.probe.answer = processing_error::retry;
  partition.probe.flaws = 4;
  ASSERT_TRUE(partition.ask(probe_command("flaky"), 1));
  std::vector<duration> waits;
  auto done = partition.batch();
  for (; done.status == batch_status::backing_off; done = partition.batch()) {
    waits.push_back(done.back_off);
    EXPECT_TRUE(done.more_work);
    EXPECT_TRUE(partition.log.frames().empty());
  }
  EXPECT_EQ(waits, (std::vector<duration>{duration{100}, duration{200},
                                          duration{400}, duration{800}}));
  EXPECT_EQ(partition.shape(), "C1 E2<1");
}

TEST(Retry, EscalatesToARejection) {
  engine_under_test partition{{.attempts_max = 2}};
  partition.probe.answer = processing_error::retry;
  ASSERT_TRUE(partition.ask(probe_command("throw"), 1));
  EXPECT_EQ(partition.batch().status, batch_status::backing_off);
  EXPECT_EQ(partition.batch().status, batch_status::processed);
  EXPECT_EQ(partition.shape(), "C1 R1<1");
}

TEST(Retry, CountsAttemptsAnewForTheNextCommand) {
  engine_under_test partition{{.attempts_max = 2}};
  partition.probe.answer = processing_error::retry;
  for (int i = 0; i < 2; ++i) {
    partition.probe.flaws = 1;
    ASSERT_TRUE(partition.ask(probe_command("flaky")));
    EXPECT_EQ(partition.batch().status, batch_status::backing_off);
    EXPECT_EQ(partition.batch().status, batch_status::processed);
  }
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 E2<3");
}

TEST(BatchBytes, AreOutgrownByOneCommandThatIsRejected) {
  engine_under_test partition{{.batch_bytes_max = 8'192}};
  ASSERT_TRUE(partition.ask(probe_command("bytes 8014"), 1));
  ASSERT_TRUE(partition.ask(probe_command("bytes 8100"), 2));
  ASSERT_TRUE(partition.ask(probe_command("a"), 3));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 R1<3 C1 E2<5");
  EXPECT_EQ(partition.answer_to(2).rejection_type,
            rejection_type::exceeded_batch_size);
}

TEST(BatchBytes, FitExactlyOrAreRejected) {
  // Command and event have headers of 56 bytes, the command's value has 10.
  for (auto [event_bytes, fits] : {std::pair{8'070, true}, {8'071, false}}) {
    engine_under_test partition{{.batch_bytes_max = 8'192}};
    ASSERT_TRUE(
      partition.ask(probe_command("bytes " + std::to_string(event_bytes))));
    partition.run();
    EXPECT_EQ(partition.shape(), fits ? "C1 E2<1" : "C1 R1<1");
  }
}

TEST(BatchBytes, AreOutgrownTogetherAndSplit) {
  engine_under_test partition{{.batch_bytes_max = 8'192}};
  for (int size : {100, 3'000, 7'000, 200, 5'000})
    ASSERT_TRUE(partition.ask(probe_command("bytes " + std::to_string(size))));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 E2<3 C1 E2<5 C1 E2<7 C1 E2<9");
  for (const auto& each : partition.log.frames())
    EXPECT_LE(each.records.size(), 8'192u);
}

TEST(LogWrite, WithoutSpaceIsUndoneAndRetriedLater) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("key"), 1));
  ASSERT_TRUE(partition.ask(probe_command("follow end"), 2));
  partition.log.write_faults.push_back({errc::out_of_space, "full"});
  const auto stalled = partition.batch();
  EXPECT_EQ(stalled.status, batch_status::out_of_space);
  EXPECT_EQ(stalled.failure->code, errc::out_of_space);
  EXPECT_TRUE(stalled.effects.empty());
  EXPECT_TRUE(stalled.more_work);
  EXPECT_EQ(partition.queue.size(), 2u);
  EXPECT_TRUE(partition.state.dump().empty());
  EXPECT_FALSE(partition.state.is_open());
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 E2<3 C1<3 E2<5");
  EXPECT_EQ(partition.log.records()[1].key, key::make(owner, 1));
  EXPECT_EQ(partition.replies().size(), 2u);
}

TEST(LogWrite, FailurePoisons) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.log.write_faults.push_back({errc::io_error, "broken"});
  const auto done = partition.batch();
  EXPECT_EQ(done.status, batch_status::poisoned);
  EXPECT_EQ(done.failure->code, errc::io_error);
  EXPECT_TRUE(done.effects.empty());
  EXPECT_TRUE(partition.state.dump().empty());
  EXPECT_TRUE(partition.live->poisoned());
  EXPECT_EQ(partition.batch().status, batch_status::poisoned);
  EXPECT_TRUE(partition.log.frames().empty());
}

TEST(StateCommit, FailurePoisonsAndReplayCatchesUp) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.state.commit_fault = {error{errc::io_error, "broken"}};
  const auto done = partition.batch();
  EXPECT_EQ(done.status, batch_status::poisoned);
  EXPECT_TRUE(done.effects.empty());
  EXPECT_EQ(partition.shape(), "C1 E2<1");
  EXPECT_TRUE(partition.state.dump().empty());
  partition.start();
  EXPECT_FALSE(partition.state.dump().empty());
  ASSERT_TRUE(partition.ask(probe_command("b"), 2));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1 E2<3");
}

TEST(StateFailure, ThatPassesIsWaitedFor) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.state.write_fault = {error{errc::out_of_space, "map full"}};
  const auto done = partition.batch();
  EXPECT_EQ(done.status, batch_status::backing_off);
  EXPECT_EQ(done.back_off, duration{100});
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1");
}

TEST(StateFailure, ThatDoesNotPassPoisons) {
  engine_under_test partition{{.attempts_max = 3}};
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.state.begin_fault = {error{errc::out_of_space, "map full"}, 99};
  EXPECT_EQ(partition.batch().status, batch_status::backing_off);
  EXPECT_EQ(partition.batch().status, batch_status::backing_off);
  EXPECT_EQ(partition.batch().status, batch_status::poisoned);
}

TEST(StateFailure, ToOpenIsNoFaultOfACommand) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.state.begin_fault = {error{errc::invalid_state, "closed"}};
  EXPECT_EQ(partition.batch().status, batch_status::poisoned);
  EXPECT_TRUE(partition.log.frames().empty());
}

TEST(StateFailure, OfTheDiskPoisonsAtOnce) {
  engine_under_test partition;
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.state.write_fault = {error{errc::io_error, "bad sector"}};
  EXPECT_EQ(partition.batch().status, batch_status::poisoned);
  EXPECT_TRUE(partition.log.frames().empty());
}

TEST(StateFailure, InABatchOfManyIsUndoneForAllOfThem) {
  engine_under_test partition;
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(partition.ask(probe_command("a", 7), i + 1));
  partition.state.write_fault = {error{errc::out_of_space, "map full"}, 1, 5};
  partition.run();
  EXPECT_EQ(partition.log.records().size(), 16u);
  EXPECT_EQ(partition.replies().size(), 8u);
}
