#include "tests/jobs/job_fixture.hpp"

namespace gnomon::testing {

TEST(CompleteJob, RemovesEverythingOfTheJob) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  v1::CompleteJob value;
  value.set_activation(1);
  value.set_result("sent");
  const auto outcome = partition.submit(
    value_type::job, v1::JOB_INTENT_COMPLETE, about, value, start);
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_COMPLETED), (key_list{about}));
  EXPECT_EQ(parse<v1::CompleteJob>(outcome[0]).result(), "sent");
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CompleteJob, IsRejectedTheSecondTime) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  partition.complete(about, 1);
  expect_rejection(partition.complete(about, 1), rejection_type::not_found,
                   std::to_string(about.value));
}

TEST(CompleteJob, IsRejectedWithoutAnActivation) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  expect_rejection(partition.complete(about, 0), rejection_type::invalid_state,
                   "activation 1");
  expect_rejection(partition.complete(about, 1), rejection_type::invalid_state,
                   "activation 1");
}

TEST(CompleteJob, OfAnEarlierActivationIsRejected) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w1", 1, minute);
  partition.time_out(about, start + minute);
  expect_rejection(partition.complete(about, 1, start + minute),
                   rejection_type::invalid_state, "activation 2");
  partition.activate("mail", "w2", 1, minute, start + minute);
  expect_rejection(partition.complete(about, 1, start + minute),
                   rejection_type::invalid_state, "expected activation 2");
  EXPECT_EQ(partition.complete(about, 2, start + minute)[0].record_type,
            record_type::event);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CompleteJob, IsTakenBehindTheDeadlineIfNobodyElseGotTheJob) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  EXPECT_EQ(partition.complete(about, 1, start + hour)[0].record_type,
            record_type::event);
  expect_rejection(partition.time_out(about, start + hour),
                   rejection_type::not_found, "");
}

TEST(CompleteJob, TakesResultsUpToTheirLimitAndNoByteMore) {
  jobs::job_options options;
  options.result_bytes_max = 3;
  job_partition partition{options};
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  v1::CompleteJob value;
  value.set_activation(1);
  value.set_result("1234");
  expect_rejection(partition.submit(value_type::job, v1::JOB_INTENT_COMPLETE,
                                    about, value, start),
                   rejection_type::invalid_argument, "3 bytes");
  value.set_result("123");
  EXPECT_EQ(
    partition
      .submit(value_type::job, v1::JOB_INTENT_COMPLETE, about, value, start)[0]
      .record_type,
    record_type::event);
}

TEST(TimeOutJob, IsRejectedBeforeTheDeadline) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  expect_rejection(partition.time_out(about, start + minute + -ms),
                   rejection_type::invalid_state,
                   std::to_string((start + minute).value));
  EXPECT_FALSE(jobs::find_job(partition.view(), about)->worker.empty());
}

TEST(TimeOutJob, OffersTheJobAgainExactlyAtTheDeadline) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w1", 1, minute);
  const auto outcome = partition.time_out(about, start + minute);
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_TIMED_OUT), (key_list{about}));
  const auto timed_out = parse<v1::JobTimedOut>(outcome[0]);
  EXPECT_EQ(timed_out.worker(), "w1");
  EXPECT_EQ(timed_out.activation(), 1u);
  EXPECT_FALSE(timed_out.worker_lost());
  EXPECT_EQ(due_index::count(partition.view()), 0u);
  const auto again
    = partition.activate("mail", "w2", 1, minute, start + minute);
  EXPECT_EQ(parse<v1::JobActivated>(again[0]).activation(), 2u);
}

TEST(TimeOutJob, IsProposedByTheDueIndex) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  EXPECT_TRUE(partition.trigger_due(start + minute + -ms).empty());
  const auto outcome = partition.trigger_due(start + minute);
  EXPECT_EQ(keys_of(outcome, v1::JOB_INTENT_TIMED_OUT), (key_list{about}));
}

TEST(TimeOutJob, KeepsTheOrderOfAge) {
  job_partition partition;
  const auto first = partition.create_job("mail");
  const auto second = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  partition.time_out(first, start + minute);
  const auto outcome
    = partition.activate("mail", "w", 2, minute, start + minute);
  EXPECT_EQ(keys_of(outcome, v1::JOB_INTENT_ACTIVATED),
            (key_list{first, second}));
}

TEST(TimeOutJob, DoesNotWaitIfTheWorkerIsLost) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w1", 1, minute);
  expect_rejection(partition.time_out(about, start, "w"),
                   rejection_type::invalid_state, "\"w1\" has it");
  const auto outcome = partition.time_out(about, start, "w1");
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_TIMED_OUT), (key_list{about}));
  EXPECT_TRUE(parse<v1::JobTimedOut>(outcome[0]).worker_lost());
}

TEST(TimeOutJob, OfALostWorkerLeavesTheNextActivationAlone) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w1", 1, minute);
  partition.time_out(about, start + minute);
  partition.activate("mail", "w2", 1, minute, start + minute);
  expect_rejection(partition.time_out(about, start + minute, "w1"),
                   rejection_type::invalid_state, "w2");
  // A time-out proposed for the first activation comes late.
  expect_rejection(partition.time_out(about, start + minute),
                   rejection_type::invalid_state, "deadline");
  EXPECT_EQ(partition.complete(about, 2)[0].record_type, record_type::event);
}

TEST(TimeOutJob, IsRejectedIfNoWorkerHasTheJob) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  expect_rejection(partition.time_out(about, start + hour),
                   rejection_type::invalid_state, "waits for activation 1");
  expect_rejection(partition.time_out({77}, start), rejection_type::not_found,
                   "77");
}

} // namespace gnomon::testing
