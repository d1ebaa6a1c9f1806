#include "tests/jobs/job_fixture.hpp"

namespace gnomon::testing {

namespace {

/// A partition with one job of type "mail" that worker "w" has.
class FailJob : public ::testing::Test {
protected:
  FailJob() {
    about = partition.create_job("mail");
    partition.activate("mail", "w", 1, minute);
  }

  job_partition partition;
  key about;
};

v1::FailJob failure(std::uint32_t activation) {
  v1::FailJob result;
  result.set_activation(activation);
  result.set_message("no answer");
  return result;
}

std::int64_t default_delay_ms(const std::vector<record>& outcome) {
  return parse<v1::JobFailed>(outcome.at(0)).back_off_ms();
}

} // namespace

TEST_F(FailJob, TakesARetryAndRecordsWhenItIsOfferedAgain) {
  const auto outcome = partition.fail(about, 1, 5 * second, start + second);
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_FAILED), (key_list{about}));
  const auto failed = parse<v1::JobFailed>(outcome[0]);
  EXPECT_EQ(failed.worker(), "w");
  EXPECT_EQ(failed.activation(), 1u);
  EXPECT_EQ(failed.message(), "no answer");
  EXPECT_EQ(failed.retries(), 2u);
  EXPECT_EQ(failed.back_off_ms(), 5'000);
  EXPECT_EQ(failed.due_ms(), (start + 6 * second).value);
  EXPECT_EQ(partition.phase_of(about), jobs::job_phase::backing_off);
}

TEST_F(FailJob, HidesTheJobUntilItsBackOffIsOver) {
  partition.fail(about, 1, 5 * second);
  EXPECT_TRUE(partition.trigger_due(start + 5 * second + -ms).empty());
  expect_rejection(partition.activate("mail", "w", 1, minute, start + second),
                   rejection_type::not_found, "");
  const auto outcome = partition.trigger_due(start + 5 * second);
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_RECURRED_AFTER_BACKOFF),
            (key_list{about}));
  const auto again
    = partition.activate("mail", "w2", 1, minute, start + 5 * second);
  EXPECT_EQ(parse<v1::JobActivated>(again[0]).activation(), 2u);
}

TEST_F(FailJob, OffersTheJobAtItsOldPlace) {
  const auto younger = partition.create_job("mail");
  partition.fail(about, 1, second);
  partition.trigger_due(start + second);
  const auto outcome
    = partition.activate("mail", "w", 9, minute, start + second);
  EXPECT_EQ(keys_of(outcome, v1::JOB_INTENT_ACTIVATED),
            (key_list{about, younger}));
}

TEST_F(FailJob, WithoutBackOffOffersTheJobAtOnce) {
  const auto outcome = partition.fail(about, 1, duration{0});
  EXPECT_EQ(parse<v1::JobFailed>(outcome[0]).due_ms(), 0);
  EXPECT_EQ(partition.phase_of(about), jobs::job_phase::available);
  EXPECT_EQ(due_index::count(partition.view()), 0u);
}

TEST_F(FailJob, WithAShorterBackOffComesBackBeforeALongerOne) {
  const auto other = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  partition.fail(about, 1, hour);
  partition.fail(other, 1, second);
  EXPECT_EQ(partition.next_due(), start + second);
  EXPECT_EQ(keys_of(partition.trigger_due(start + second),
                    v1::JOB_INTENT_RECURRED_AFTER_BACKOFF),
            (key_list{other}));
}

TEST_F(FailJob, TakesTheRetriesThatTheWorkerNames) {
  auto value = failure(1);
  value.set_retries(7);
  const auto outcome = partition.fail(about, value);
  EXPECT_EQ(parse<v1::JobFailed>(outcome[0]).retries(), 7u);
  EXPECT_EQ(jobs::find_job(partition.view(), about)->retries, 7u);
}

TEST_F(FailJob, BacksOffByDefaultLongerEachTime) {
  std::int64_t last = 0;
  auto now = start;
  for (std::uint32_t activation = 1; activation <= 2; ++activation) {
    const auto delay
      = default_delay_ms(partition.fail(about, failure(activation), now));
    EXPECT_GE(delay, 800 * (std::int64_t{1} << (activation - 1)));
    EXPECT_LE(delay, 1'000 * (std::int64_t{1} << (activation - 1)));
    EXPECT_GT(delay, last);
    last = delay;
    now = now + duration{delay};
    partition.trigger_due(now);
    partition.activate("mail", "w", 1, minute, now);
  }
}

TEST_F(FailJob, BacksOffAsTheWorkerSays) {
  auto value = failure(1);
  value.mutable_back_off()->set_initial_ms(42);
  EXPECT_EQ(default_delay_ms(partition.fail(about, value)), 42);
}

TEST_F(FailJob, BacksOffAsTheCreatorSaidUnlessTheWorkerDoes) {
  v1::JobCreated job;
  job.set_type("call");
  job.mutable_back_off()->set_initial_ms(77);
  const auto made
    = partition.submit(value_type::job, v1::JOB_INTENT_CREATE, {}, job, start);
  partition.activate("call", "w", 1, minute);
  EXPECT_EQ(default_delay_ms(partition.fail(made[0].key, failure(1))), 77);
}

TEST_F(FailJob, ChecksTheBackOffAtBothEnds) {
  jobs::job_options options;
  options.back_off_ms_max = 1'000;
  job_partition bounded{options};
  const auto job = bounded.create_job("mail");
  bounded.activate("mail", "w", 1, minute);
  expect_rejection(bounded.fail(job, 1, duration{1'001}),
                   rejection_type::invalid_argument, "0 to 1000 ms");
  expect_rejection(bounded.fail(job, 1, duration{-1}),
                   rejection_type::invalid_argument, "0 to 1000 ms");
  auto value = failure(1);
  value.mutable_back_off()->set_jitter_percent(101);
  expect_rejection(bounded.fail(job, value), rejection_type::invalid_argument,
                   "jitter");
  EXPECT_EQ(bounded.fail(job, 1, duration{1'000})[0].record_type,
            record_type::event);
}

TEST_F(FailJob, SaturatesAtTheEndOfTime) {
  const auto outcome
    = partition.fail(about, 1, hour, timestamp::max() + -second);
  EXPECT_EQ(parse<v1::JobFailed>(outcome[0]).due_ms(), timestamp::max().value);
}

TEST_F(FailJob, CutsALongMessage) {
  auto value = failure(1);
  value.set_message(std::string(100'000, 'x'));
  const auto outcome = partition.fail(about, value);
  EXPECT_EQ(parse<v1::JobFailed>(outcome[0]).message().size(), 1'024u);
}

TEST_F(FailJob, OfAnEarlierActivationIsRejected) {
  partition.time_out(about, start + minute);
  expect_rejection(partition.fail(about, 1, second, start + minute),
                   rejection_type::invalid_state, "activation 2");
  partition.activate("mail", "w2", 1, minute, start + minute);
  expect_rejection(partition.fail(about, 1, second, start + minute),
                   rejection_type::invalid_state, "activation 2");
  expect_rejection(partition.fail({77}, 1, second), rejection_type::not_found,
                   "77");
}

TEST_F(FailJob, IsRejectedTheSecondTime) {
  partition.fail(about, 1, second);
  expect_rejection(partition.fail(about, 1, second),
                   rejection_type::invalid_state, "to be with a worker");
}

TEST_F(FailJob, LeavesNothingBehindOnceTheJobIsGone) {
  partition.fail(about, 1, hour);
  partition.cancel_job(about);
  EXPECT_TRUE(partition.state_.entries.empty());
  EXPECT_TRUE(partition.replayed().empty());
}

TEST_F(FailJob, DoesNotDependOnOptionsWhenReplayed) {
  partition.fail(about, failure(1));
  // Another partition, with other defaults, applies the same events.
  jobs::job_options options;
  options.back_off_initial_ms = 1;
  options.back_off_ms_max = 2;
  jobs::job_processor other{options};
  fake_state state;
  for (const auto& each : partition.log)
    if (each.record_type == record_type::event)
      other.replay(typed_record{each}, state);
  EXPECT_EQ(state.entries, partition.state_.entries);
}

TEST(TimeOutJob, CostsNoRetry) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  partition.time_out(about, start + minute);
  const auto job = jobs::find_job(partition.view(), about);
  EXPECT_EQ(job->retries, 3u);
  EXPECT_EQ(job->failures, 0u);
}

TEST(RecurAfterBackOff, IsRejectedUnlessTheBackOffIsOver) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  expect_rejection(partition.recur(about, start), rejection_type::invalid_state,
                   "backing off");
  expect_rejection(partition.recur({77}, start), rejection_type::not_found,
                   "77");
  partition.activate("mail", "w", 1, minute);
  partition.fail(about, 1, minute);
  expect_rejection(partition.recur(about, start + minute + -ms),
                   rejection_type::invalid_state,
                   std::to_string((start + minute).value));
  EXPECT_EQ(partition.recur(about, start + minute)[0].record_type,
            record_type::event);
}

TEST(UpdateTimeout, GivesTheWorkerMoreTime) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  expect_rejection(partition.update_timeout(about, 0, hour),
                   rejection_type::invalid_state, "activation 1");
  partition.activate("mail", "w", 1, minute);
  const auto outcome = partition.update_timeout(about, 1, hour, start + second);
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_TIMEOUT_UPDATED),
            (key_list{about}));
  EXPECT_EQ(partition.next_due(), start + second + hour);
  EXPECT_EQ(due_index::count(partition.view()), 1u);
  EXPECT_TRUE(partition.trigger_due(start + minute).empty());
  expect_rejection(partition.update_timeout(about, 2, hour),
                   rejection_type::invalid_state, "activation 1");
  expect_rejection(partition.update_timeout(about, 1, duration{0}),
                   rejection_type::invalid_argument, "time-out");
  partition.update_timeout(about, 0, second);
  EXPECT_EQ(partition.next_due(), start + second);
}

} // namespace gnomon::testing
