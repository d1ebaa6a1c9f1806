#include "gnomon/state_key.hpp"
#include "jobs/job_queries.hpp"
#include "tests/jobs/job_fixture.hpp"

namespace gnomon::testing {

namespace {

using jobs::list_jobs;
using jobs::query_limits;

std::vector<key> all_keys(const job_partition& partition,
                          const std::string& type, const query_limits& limits) {
  const jobs::job_filter filter{type, {}};
  std::vector<key> result;
  std::optional<key> after{key{}};
  while (after) {
    const auto page = list_jobs(partition.view(), *after, filter, limits);
    for (const auto& job : page.jobs)
      result.push_back(job.key);
    after = page.next_after;
  }
  return result;
}

bool any_worker(std::string_view) {
  return true;
}

} // namespace

TEST(JobState, HasTheBytesOfItsFormat) {
  fake_state state;
  jobs::stored_job job;
  job.phase = jobs::job_phase::activated;
  job.activation = 3;
  job.retries = 4;
  job.failures = 5;
  job.scope = {6};
  job.due = {0x0102};
  job.type = "ty";
  job.worker = "w";
  job.created = "cre";
  jobs::insert_job(state, {9}, job);
  const bytes expected("\x00\x01\x00\x02\x00\x00\x00\x03"
                       "\x00\x00\x00\x04\x00\x00\x00\x05"
                       "\x00\x00\x00\x00\x00\x00\x00\x06"
                       "\x80\x00\x00\x00\x00\x00\x01\x02"
                       "\x00\x02\x00\x01"
                       "tywcre",
                       42);
  const bytes about{state_key{}.add(key{9}).view()};
  EXPECT_EQ(state.entries.at({jobs::job_family, about}), expected);
  for (std::size_t length = 0; length < 39; ++length)
    EXPECT_FALSE(jobs::decode_job(bytes_view{expected}.substr(0, length)));
}

TEST(HasAvailable, FollowsTheJobs) {
  job_partition partition;
  EXPECT_FALSE(jobs::has_available(partition.view(), "mail"));
  const auto about = partition.create_job("mail");
  EXPECT_TRUE(jobs::has_available(partition.view(), "mail"));
  EXPECT_FALSE(jobs::has_available(partition.view(), "mai"));
  EXPECT_FALSE(jobs::has_available(partition.view(), "mail "));
  partition.activate("mail", "w", 1, minute);
  EXPECT_FALSE(jobs::has_available(partition.view(), "mail"));
  partition.time_out(about, start + minute);
  EXPECT_TRUE(jobs::has_available(partition.view(), "mail"));
}

TEST(JobsOfWorker, AreThoseItHas) {
  job_partition partition;
  const auto first = partition.create_job("mail");
  const auto second = partition.create_job("mail");
  const auto third = partition.create_job("call");
  partition.activate("mail", "w", 2, minute);
  partition.activate("call", "w2", 1, minute);
  EXPECT_EQ(jobs::jobs_of_worker(partition.view(), "w", 9),
            (key_list{first, second}));
  EXPECT_EQ(jobs::jobs_of_worker(partition.view(), "w", 1), (key_list{first}));
  EXPECT_EQ(jobs::jobs_of_worker(partition.view(), "w2", 9), (key_list{third}));
  partition.complete(first, 1);
  EXPECT_EQ(jobs::jobs_of_worker(partition.view(), "w", 9), (key_list{second}));
  EXPECT_TRUE(jobs::jobs_of_worker(partition.view(), "w", 0).empty());
}

TEST(WorkersWithJobs, AreNamedOnceAndInOrder) {
  job_partition partition;
  using names = std::vector<std::string>;
  EXPECT_EQ(jobs::workers_with_jobs(partition.view(), any_worker, 9), names{});
  for (const auto* worker : {"w", "w2", "v", "w\x01", "w"}) {
    partition.create_job("mail");
    partition.activate("mail", worker, 1, minute);
  }
  const auto all = jobs::workers_with_jobs(partition.view(), any_worker, 9);
  EXPECT_EQ(all, (names{"v", "w", "w\x01", "w2"}));
  EXPECT_EQ(jobs::workers_with_jobs(partition.view(), any_worker, 2),
            (names{"v", "w"}));
  const auto old = [](std::string_view worker) {
    return worker != "w";
  };
  EXPECT_EQ(jobs::workers_with_jobs(partition.view(), old, 9),
            (names{"v", "w\x01", "w2"}));
}

TEST(WorkersWithJobs, CostOneVisitForEachWorker) {
  job_partition partition;
  for (int i = 0; i < 100; ++i)
    partition.create_job("mail");
  partition.activate("mail", "w1", 50, minute);
  partition.activate("mail", "w2", 50, minute);
  partition.state_.reset_counters();
  EXPECT_EQ(jobs::workers_with_jobs(partition.view(), any_worker, 9).size(),
            2u);
  EXPECT_EQ(partition.state_.visits, 2u);
}

TEST(CountJobs, CountsWhatWaitsByType) {
  job_partition partition;
  partition.create_job("mail");
  partition.create_job("mail");
  partition.create_job("call");
  partition.activate("mail", "w", 1, minute);
  const auto counts = jobs::count_jobs(partition.view(), 2);
  EXPECT_EQ(counts.jobs, 3u);
  EXPECT_EQ(counts.available_by_type.at("mail"), 1u);
  EXPECT_EQ(counts.available_by_type.at("call"), 1u);
  EXPECT_FALSE(counts.cut);
  EXPECT_TRUE(jobs::count_jobs(partition.view(), 1).cut);
  const auto message = jobs::to_message(counts);
  EXPECT_EQ(message.types(0).type(), "call");
  EXPECT_EQ(message.jobs(), 3u);
}

TEST(ListJobs, GivesEachOnceWhateverThePageSize) {
  job_partition partition;
  key_list mails;
  key_list all;
  for (int i = 0; i < 4; ++i) {
    mails.push_back(partition.create_job("mail"));
    all.push_back(mails.back());
    all.push_back(partition.create_job("call"));
  }
  for (std::size_t limit = 1; limit <= 9; ++limit) {
    EXPECT_EQ(all_keys(partition, "", {limit, 100}), all);
    EXPECT_EQ(all_keys(partition, "mail", {limit, 100}), mails);
    EXPECT_EQ(all_keys(partition, "mail", {100, limit}), mails);
  }
}

TEST(ListJobs, ShowsWhereAJobStands) {
  job_partition partition;
  const auto timer = partition.create_due(start);
  partition.trigger_due(start);
  const auto waiting = list_jobs(partition.view(), {}, {}, {9, 9}).jobs.at(0);
  EXPECT_EQ(waiting.type, "mail");
  EXPECT_EQ(waiting.timer_key, timer);
  EXPECT_EQ(waiting.occurrence, 1u);
  EXPECT_EQ(waiting.activation, 0u);
  EXPECT_EQ(waiting.worker, "");
  EXPECT_FALSE(waiting.deadline);
  partition.activate("mail", "w", 1, minute);
  const auto activated = list_jobs(partition.view(), {}, {}, {9, 9}).jobs.at(0);
  EXPECT_EQ(activated.activation, 1u);
  EXPECT_EQ(activated.worker, "w");
  EXPECT_EQ(activated.deadline, start + minute);
}

TEST(ListJobs, PassesOverAMalformedBody) {
  job_partition partition;
  const auto damaged = partition.create_job("mail");
  const auto sound = partition.create_job("mail");
  const bytes at{state_key{}.add(damaged).view()};
  partition.state_.entries.at({jobs::job_family, at}) = "?";
  EXPECT_EQ(all_keys(partition, "", {9, 9}), (key_list{sound}));
}

} // namespace gnomon::testing
