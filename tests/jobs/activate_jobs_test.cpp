#include "tests/jobs/job_fixture.hpp"
#include "tests/support/pushed_jobs.hpp"

namespace gnomon::testing {

namespace {

/// Asks with a request that differs from a good one in what `change` does.
template <class Change>
std::vector<record> activate_with(job_partition& partition, Change change) {
  v1::ActivateJobs value;
  value.set_type("mail");
  value.set_worker("w");
  value.set_jobs_max(1);
  value.set_timeout_ms(1);
  change(value);
  return partition.submit(value_type::job, v1::JOB_INTENT_ACTIVATE, {}, value,
                          start);
}

} // namespace

TEST(ActivateJobs, OffersTheOldestFirst) {
  job_partition partition;
  const auto first = partition.create_job("mail");
  const auto second = partition.create_job("mail");
  const auto third = partition.create_job("mail");
  const auto outcome = partition.activate("mail", "w", 2, minute);
  EXPECT_EQ(keys_of(outcome, v1::JOB_INTENT_ACTIVATED),
            (key_list{first, second}));
  const auto rest = partition.activate("mail", "w", 2, minute);
  EXPECT_EQ(keys_of(rest, v1::JOB_INTENT_ACTIVATED), (key_list{third}));
}

TEST(ActivateJobs, HandsOverEachJobWithItsActivation) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  const auto outcome
    = partition.activate("mail", "w", 9, minute, start + second);
  ASSERT_EQ(outcome.size(), 1u);
  const auto activated = parse<v1::JobActivated>(outcome[0]);
  EXPECT_EQ(activated.worker(), "w");
  EXPECT_EQ(activated.activation(), 1u);
  EXPECT_EQ(activated.deadline_ms(), (start + second + minute).value);
  ASSERT_EQ(partition.deliveries.size(), 1u);
  EXPECT_EQ(partition.deliveries[0].channel, "job");
  EXPECT_EQ(partition.deliveries[0].key, about);
  const auto pushed = test::pushed_jobs(partition.deliveries[0]);
  ASSERT_EQ(pushed.size(), 1u);
  const auto& [worker, job] = pushed[0];
  EXPECT_EQ(worker, "w");
  EXPECT_EQ(job.key(), about.value);
  EXPECT_EQ(job.activation(), 1u);
  EXPECT_EQ(job.deadline_ms(), activated.deadline_ms());
  EXPECT_EQ(job.retries(), 3u);
  EXPECT_EQ(job.created().type(), "mail");
  EXPECT_EQ(job.created().payload(), "payload of mail");
}

TEST(ActivateJobs, HandsOverSeveralAtOnce) {
  job_partition partition;
  const auto first = partition.create_job("mail");
  const auto second = partition.create_job("mail");
  partition.activate("mail", "w", 9, minute);
  ASSERT_EQ(partition.deliveries.size(), 1u);
  const auto pushed = test::pushed_jobs(partition.deliveries[0]);
  ASSERT_EQ(pushed.size(), 2u);
  EXPECT_EQ(pushed[0].job.key(), first.value);
  EXPECT_EQ(pushed[1].job.key(), second.value);
}

TEST(ActivateJobs, BeginsAnotherPushOnceOneIsFull) {
  jobs::job_options options;
  // Two jobs fit, and not a byte more.
  v1::JobCreated like;
  like.set_type("mail");
  like.set_payload("payload of mail");
  like.set_retries(3);
  const auto two = 2 * like.ByteSizeLong();
  const auto sizes_with = [&](std::size_t push_bytes_max) {
    options.push_bytes_max = push_bytes_max;
    job_partition partition{options};
    for (int i = 0; i < 5; ++i)
      partition.create_job("mail");
    partition.activate("mail", "w", 9, minute);
    std::vector<std::size_t> sizes;
    for (const auto& each : partition.deliveries)
      sizes.push_back(test::pushed_jobs(each).size());
    return sizes;
  };
  EXPECT_EQ(sizes_with(two), (std::vector<std::size_t>{2, 2, 1}));
  EXPECT_EQ(sizes_with(two - 1), (std::vector<std::size_t>(5, 1)));
  EXPECT_EQ(sizes_with(0), (std::vector<std::size_t>(5, 1)));
}

TEST(ActivateJobs, NeverGivesOneJobToTwoWorkers) {
  job_partition partition;
  partition.create_job("mail");
  partition.activate("mail", "w1", 9, minute);
  expect_rejection(partition.activate("mail", "w2", 9, minute),
                   rejection_type::not_found, "\"mail\"");
  EXPECT_EQ(partition.deliveries.size(), 1u);
}

TEST(ActivateJobs, LooksAtOneTypeOnly) {
  job_partition partition;
  partition.create_job("mai");
  partition.create_job("mail2");
  const auto mail = partition.create_job("mail");
  const auto outcome = partition.activate("mail", "w", 9, minute);
  EXPECT_EQ(keys_of(outcome, v1::JOB_INTENT_ACTIVATED), (key_list{mail}));
}

TEST(ActivateJobs, IsRejectedIfNoJobWaits) {
  job_partition partition;
  expect_rejection(partition.activate("mail", "w", 1, minute),
                   rejection_type::not_found, "\"mail\"");
}

TEST(ActivateJobs, ChecksItsLimitsAtBothEnds) {
  jobs::job_options options;
  options.jobs_per_activate_max = 3;
  options.timeout_ms_max = 1'000;
  options.worker_bytes_max = 4;
  options.type_bytes_max = 5;
  job_partition partition{options};
  const auto refused = [&](auto change) {
    expect_rejection(activate_with(partition, change),
                     rejection_type::invalid_argument, "expected");
  };
  const auto accepted = [&](auto change) {
    partition.create_job("mail");
    EXPECT_EQ(activate_with(partition, change)[0].record_type,
              record_type::event);
  };
  refused([](auto& value) { value.set_jobs_max(0); });
  accepted([](auto& value) { value.set_jobs_max(3); });
  refused([](auto& value) { value.set_jobs_max(4); });
  refused([](auto& value) { value.set_timeout_ms(0); });
  refused([](auto& value) { value.set_timeout_ms(-1); });
  accepted([](auto& value) { value.set_timeout_ms(1'000); });
  refused([](auto& value) { value.set_timeout_ms(1'001); });
  refused([](auto& value) { value.set_worker(""); });
  accepted([](auto& value) { value.set_worker("1234"); });
  refused([](auto& value) { value.set_worker("12345"); });
  refused([](auto& value) { value.set_worker(std::string("a\0b", 3)); });
  refused([](auto& value) { value.set_type(""); });
  refused([](auto& value) { value.set_type("123456"); });
}

TEST(ActivateJobs, RejectsAValueThatIsNoMessage) {
  job_partition partition;
  expect_rejection(partition.process(value_type::job, v1::JOB_INTENT_ACTIVATE,
                                     {}, "\xFF", start),
                   rejection_type::invalid_argument, "ActivateJobs");
}

TEST(CreateJob, AnswersWithANewKeyAndTheDefaultRetries) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  ASSERT_NE(about.value, 0u);
  const auto created = parse<v1::JobCreated>(partition.log.back());
  EXPECT_EQ(created.type(), "mail");
  EXPECT_EQ(created.retries(), 3u);
}

TEST(CreateJob, TakesTextsUpToTheirLimitAndNoByteMore) {
  jobs::job_options options;
  options.type_bytes_max = 3;
  options.payload_bytes_max = 4;
  job_partition partition{options};
  const auto create = [&](std::string type, std::string payload) {
    v1::JobCreated value;
    value.set_type(type);
    value.set_payload(payload);
    return partition.submit(value_type::job, v1::JOB_INTENT_CREATE, {}, value,
                            start);
  };
  EXPECT_EQ(create("123", "1234")[0].record_type, record_type::event);
  expect_rejection(create("1234", ""), rejection_type::invalid_argument,
                   "type");
  expect_rejection(create("", ""), rejection_type::invalid_argument, "type");
  expect_rejection(create(std::string("a\0", 2), ""),
                   rejection_type::invalid_argument, "zero");
  expect_rejection(create("1", "12345"), rejection_type::invalid_argument,
                   "payload");
}

TEST(CreateJob, KeepsKeysOfTheStateShortForTheLongestTexts) {
  jobs::job_options options;
  options.type_bytes_max = timers::text_bytes_limit;
  options.worker_bytes_max = timers::text_bytes_limit;
  job_partition partition{options};
  const std::string longest(timers::text_bytes_limit, 'x');
  partition.create_job(longest);
  partition.create_job(longest);
  partition.activate(longest, longest, 1, minute);
  for (const auto& [where, body] : partition.state_.entries)
    EXPECT_LE(where.second.size(), 511u);
}

} // namespace gnomon::testing
