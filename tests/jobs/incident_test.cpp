#include "gnomon/state_key.hpp"
#include "jobs/incident_queries.hpp"
#include "jobs/job_queries.hpp"
#include "tests/jobs/job_fixture.hpp"

namespace gnomon::testing {

namespace {

/// A partition with one job of type "mail" and one retry that "w" has.
class Incident : public ::testing::Test {
protected:
  Incident() {
    about = partition.create_job("mail", start, 1);
    partition.activate("mail", "w", 1, minute);
  }

  /// Uses the last retry up. @returns The incident.
  key fail() {
    const auto outcome = partition.fail(about, 1, second, start + second);
    EXPECT_EQ(outcome.size(), 2u);
    return outcome.at(1).key;
  }

  job_partition partition;
  key about;
};

} // namespace

TEST_F(Incident, IsRaisedOnceNoRetriesAreLeft) {
  const auto outcome = partition.fail(about, 1, second);
  ASSERT_EQ(outcome.size(), 2u);
  const auto failed = parse<v1::JobFailed>(outcome[0]);
  EXPECT_EQ(failed.retries(), 0u);
  EXPECT_EQ(failed.back_off_ms(), 0);
  ASSERT_TRUE(
    is_event(outcome[1], value_type::incident, v1::INCIDENT_INTENT_CREATED));
  const auto incident = parse<v1::IncidentCreated>(outcome[1]);
  EXPECT_EQ(incident.cause(), v1::INCIDENT_CAUSE_JOB_WITHOUT_RETRIES);
  EXPECT_EQ(incident.job_key(), about.value);
  EXPECT_EQ(incident.job_type(), "mail");
  EXPECT_EQ(incident.message(), "no answer");
  EXPECT_EQ(partition.phase_of(about), jobs::job_phase::failed);
}

TEST_F(Incident, IsRaisedIfTheWorkerLeavesNoRetries) {
  const auto other = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  v1::FailJob value;
  value.set_activation(1);
  value.set_retries(0);
  EXPECT_EQ(partition.fail(other, value).size(), 2u);
}

TEST_F(Incident, KeepsTheJobFromWorkersForGood) {
  fail();
  EXPECT_TRUE(partition.trigger_due(start + 1'000 * hour).empty());
  expect_rejection(partition.activate("mail", "w", 9, minute),
                   rejection_type::not_found, "");
}

TEST_F(Incident, IsNotResolvedWithoutRetries) {
  const auto incident = fail();
  expect_rejection(partition.resolve(incident), rejection_type::invalid_state,
                   "retries");
  EXPECT_EQ(partition.phase_of(about), jobs::job_phase::failed);
}

TEST_F(Incident, ThatIsResolvedOffersTheJobAtItsOldPlace) {
  const auto younger = partition.create_job("mail");
  const auto incident = fail();
  partition.update_retries(about, 2);
  EXPECT_EQ(partition.phase_of(about), jobs::job_phase::failed);
  const auto outcome = partition.resolve(incident);
  ASSERT_EQ(outcome.size(), 1u);
  const auto resolved = parse<v1::IncidentResolved>(outcome[0]);
  EXPECT_EQ(resolved.job_key(), about.value);
  EXPECT_FALSE(resolved.job_gone());
  EXPECT_EQ(partition.view().count(jobs::incident_family), 0u);
  const auto again = partition.activate("mail", "w", 9, minute);
  EXPECT_EQ(keys_of(again, v1::JOB_INTENT_ACTIVATED),
            (key_list{about, younger}));
  EXPECT_EQ(parse<v1::JobActivated>(again[0]).activation(), 2u);
  expect_rejection(partition.resolve(incident), rejection_type::not_found,
                   std::to_string(incident.value));
}

TEST_F(Incident, OfAnErrorCarriesItsCode) {
  const auto outcome = partition.throw_error(about, 1);
  ASSERT_EQ(outcome.size(), 2u);
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_ERROR_THROWN), (key_list{about}));
  EXPECT_EQ(parse<v1::ErrorThrown>(outcome[0]).worker(), "w");
  const auto incident = parse<v1::IncidentCreated>(outcome[1]);
  EXPECT_EQ(incident.cause(), v1::INCIDENT_CAUSE_ERROR_NOT_CAUGHT);
  EXPECT_EQ(incident.error_code(), "out_of_stock");
  EXPECT_EQ(incident.message(), "none left");
  // The error cost no retry, so resolving is enough.
  EXPECT_EQ(partition.resolve(outcome[1].key)[0].record_type,
            record_type::event);
  EXPECT_EQ(partition.phase_of(about), jobs::job_phase::available);
}

TEST_F(Incident, OfAnErrorNeedsACodeAndTheRightActivation) {
  expect_rejection(partition.throw_error(about, 2),
                   rejection_type::invalid_state, "activation 1");
  v1::ThrowError value;
  value.set_activation(1);
  const auto submit = [&] {
    return partition.submit(value_type::job, v1::JOB_INTENT_THROW_ERROR, about,
                            value, start);
  };
  expect_rejection(submit(), rejection_type::invalid_argument, "code");
  value.set_code(std::string(257, 'x'));
  expect_rejection(submit(), rejection_type::invalid_argument, "256");
  value.set_code(std::string(256, 'x'));
  EXPECT_EQ(submit()[0].record_type, record_type::event);
}

TEST_F(Incident, IsResolvedByTheCancellationOfItsJob) {
  const auto incident = fail();
  const auto outcome = partition.cancel_job(about);
  ASSERT_EQ(outcome.size(), 2u);
  EXPECT_TRUE(is_event(outcome[0], value_type::job, v1::JOB_INTENT_CANCELED));
  EXPECT_TRUE(
    is_event(outcome[1], value_type::incident, v1::INCIDENT_INTENT_RESOLVED));
  EXPECT_EQ(outcome[1].key, incident);
  EXPECT_TRUE(parse<v1::IncidentResolved>(outcome[1]).job_gone());
  EXPECT_TRUE(partition.state_.entries.empty());
  EXPECT_TRUE(partition.replayed().empty());
}

TEST(CancelJob, RemovesEverythingInEveryPhase) {
  using phase_maker = void (*)(job_partition&, key);
  const phase_maker phases[]
    = {[](job_partition&, key) {},
       [](job_partition& in, key) { in.activate("mail", "w", 1, minute); },
       [](job_partition& in, key job) {
         in.activate("mail", "w", 1, minute);
         in.fail(job, 1, hour);
       },
       [](job_partition& in, key job) {
         in.activate("mail", "w", 1, minute);
         in.throw_error(job, 1);
       }};
  for (std::uint16_t i = 0; i < std::size(phases); ++i) {
    job_partition partition;
    const auto about = partition.create_job("mail");
    phases[i](partition, about);
    ASSERT_EQ(partition.phase_of(about), static_cast<jobs::job_phase>(i + 1));
    EXPECT_EQ(partition.cancel_job(about)[0].record_type, record_type::event);
    EXPECT_TRUE(partition.state_.entries.empty());
    expect_rejection(partition.complete(about, 1), rejection_type::not_found,
                     std::to_string(about.value));
    expect_rejection(partition.cancel_job(about), rejection_type::not_found,
                     std::to_string(about.value));
  }
}

TEST(UpdateRetries, BeginsTheBackOffAnew) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  partition.activate("mail", "w", 1, minute);
  partition.fail(about, 1, hour);
  EXPECT_EQ(jobs::find_job(partition.view(), about)->failures, 1u);
  partition.update_retries(about, 9);
  const auto job = jobs::find_job(partition.view(), about);
  EXPECT_EQ(job->retries, 9u);
  EXPECT_EQ(job->failures, 0u);
  EXPECT_EQ(job->phase, jobs::job_phase::backing_off);
  EXPECT_EQ(partition.next_due(), start + hour);
}

TEST(UpdateRetries, NeedsAJobAndARetry) {
  job_partition partition;
  const auto about = partition.create_job("mail");
  expect_rejection(partition.update_retries(about, 0),
                   rejection_type::invalid_argument, "at least 1");
  expect_rejection(partition.update_retries({77}, 1), rejection_type::not_found,
                   "77");
}

TEST_F(Incident, IsListedWithWhatItIsAbout) {
  const auto incident = fail();
  const auto page = jobs::list_incidents(partition.view(), {}, {9, 9});
  ASSERT_EQ(page.incidents.size(), 1u);
  EXPECT_EQ(page.incidents[0].key, incident);
  EXPECT_FALSE(page.next_after);
  const auto message = jobs::to_message(page).incidents(0);
  EXPECT_EQ(message.key(), incident.value);
  EXPECT_EQ(message.created_ms(), (start + second).value);
  EXPECT_EQ(message.created().job_key(), about.value);
  const auto job = jobs::list_jobs(partition.view(), {}, {}, {9, 9}).jobs.at(0);
  EXPECT_EQ(job.phase, jobs::job_phase::failed);
  EXPECT_EQ(job.incident, incident);
  EXPECT_EQ(job.retries, 0u);
}

TEST(ListJobs, FindsThoseInBackOffAndCountsEachPhase) {
  job_partition partition;
  key_list all;
  for (int i = 0; i < 4; ++i)
    all.push_back(partition.create_job("mail"));
  partition.activate("mail", "w", 3, minute);
  partition.fail(all[1], 1, hour);
  partition.throw_error(all[2], 1);
  jobs::job_filter filter;
  filter.phase = jobs::job_phase::backing_off;
  const auto page = jobs::list_jobs(partition.view(), {}, filter, {9, 9});
  ASSERT_EQ(page.jobs.size(), 1u);
  EXPECT_EQ(page.jobs[0].key, all[1]);
  EXPECT_EQ(page.jobs[0].back_off_due, start + hour);
  EXPECT_EQ(page.jobs[0].failures, 1u);
  const auto counts = jobs::count_jobs(partition.view(), 9);
  EXPECT_EQ(counts.available, 1u);
  EXPECT_EQ(counts.activated, 1u);
  EXPECT_EQ(counts.backing_off, 1u);
  EXPECT_EQ(counts.failed, 1u);
}

TEST(IncidentState, HasTheBytesOfItsFormat) {
  fake_state state;
  v1::IncidentCreated created;
  created.set_job_key(7);
  jobs::insert_incident(state, {9}, {0x0102}, {3}, created.SerializeAsString(),
                        {7});
  const bytes expected("\x00\x01"
                       "\x80\x00\x00\x00\x00\x00\x01\x02"
                       "\x00\x00\x00\x00\x00\x00\x00\x03"
                       "\x10\x07",
                       20);
  const bytes at{state_key{}.add(key{9}).view()};
  EXPECT_EQ(state.entries.at({jobs::incident_family, at}), expected);
  EXPECT_EQ(jobs::incident_of_job(state, {7}), key{9});
  for (std::size_t length = 0; length < 18; ++length)
    EXPECT_FALSE(jobs::decode_incident(bytes_view{expected}.substr(0, length)));
  jobs::erase_incident(state, {9}, {7});
  EXPECT_TRUE(state.entries.empty());
}

} // namespace gnomon::testing
