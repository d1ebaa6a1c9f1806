#include "tests/jobs/job_fixture.hpp"

#include <map>
#include <random>

namespace gnomon::testing {

namespace {

/// What a job should be, in the simplest terms.
struct model_job {
  std::string type;
  std::uint32_t activation = 0;
  std::string worker = {}; // empty: waits for one
  timestamp deadline = {};
};

/// Random commands, each checked against the model. Half of the jobs come from
/// timers.
class job_story {
public:
  explicit job_story(std::uint64_t seed) : random_(seed) {
    // nop
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      check();
      if (i % 50 == 0) {
        ASSERT_EQ(partition_.state_.entries, partition_.replayed());
      }
    }
    end();
  }

private:
  std::uint64_t below(std::uint64_t bound) {
    return random_() % bound;
  }

  std::string some_type() {
    return below(2) == 0 ? "mail" : "call";
  }

  std::string some_worker() {
    return "worker " + std::to_string(below(3));
  }

  /// A key that is there, was there, or never was.
  key some_key() {
    return key::make({1}, 1 + below(counter_ + 2));
  }

  void step() {
    switch (below(6)) {
    case 0:
      return create();
    case 1:
      return create_by_timer();
    case 2:
      return activate();
    case 3:
      return complete();
    case 4:
      return time_out();
    default:
      now_ = now_ + duration{static_cast<std::int64_t>(below(2'000))};
      return time_out_all();
    }
  }

  void insert(key about, std::string type) {
    counter_ = about.counter();
    ASSERT_TRUE(model_.emplace(about, model_job{std::move(type)}).second);
  }

  void create() {
    const auto type = some_type();
    insert(partition_.create_job(type, now_), type);
  }

  void create_by_timer() {
    const auto timer = partition_.create_due(now_, now_);
    const auto outcome = partition_.trigger(timer, now_);
    ASSERT_EQ(outcome.size(), 2u);
    insert(outcome[1].key, "mail");
  }

  void activate() {
    const auto type = some_type();
    const auto worker = some_worker();
    const auto jobs_max = static_cast<std::uint32_t>(1 + below(3));
    const auto outcome
      = partition_.activate(type, worker, jobs_max, second, now_);
    key_list expected;
    for (auto& [about, job] : model_) {
      if (job.type != type || !job.worker.empty()
          || expected.size() == jobs_max)
        continue;
      expected.push_back(about);
      job.worker = worker;
      job.deadline = now_ + second;
      ++job.activation;
    }
    if (expected.empty())
      return expect_rejection(outcome, rejection_type::not_found, "");
    ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_ACTIVATED), expected);
  }

  void complete() {
    const auto about = some_key();
    const auto activation = static_cast<std::uint32_t>(below(4));
    const auto outcome = partition_.complete(about, activation, now_);
    const auto found = model_.find(about);
    if (found == model_.end())
      return expect_rejection(outcome, rejection_type::not_found, "");
    if (found->second.worker.empty() || found->second.activation != activation)
      return expect_rejection(outcome, rejection_type::invalid_state, "");
    ASSERT_EQ(outcome[0].record_type, record_type::event);
    model_.erase(found);
  }

  void time_out() {
    const auto about = some_key();
    const auto lost = below(2) == 0 ? some_worker() : std::string{};
    const auto outcome = partition_.time_out(about, now_, lost);
    const auto found = model_.find(about);
    if (found == model_.end())
      return expect_rejection(outcome, rejection_type::not_found, "");
    auto& job = found->second;
    const auto allowed
      = lost.empty() ? now_ >= job.deadline : job.worker == lost;
    if (job.worker.empty() || !allowed)
      return expect_rejection(outcome, rejection_type::invalid_state, "");
    ASSERT_EQ(outcome[0].record_type, record_type::event);
    job.worker.clear();
  }

  void time_out_all() {
    for (const auto& outcome : partition_.trigger_due(now_))
      ASSERT_EQ(outcome.record_type, record_type::event);
    for (auto& [about, job] : model_)
      if (job.deadline <= now_)
        job.worker.clear();
  }

  /// Bodies and indexes are exactly those of the model.
  void check() {
    const auto& state = partition_.view();
    std::size_t activated = 0;
    for (const auto& [about, expected] : model_) {
      const auto job = jobs::find_job(state, about);
      ASSERT_TRUE(job);
      ASSERT_EQ(job->worker, expected.worker);
      ASSERT_EQ(job->activation, expected.activation);
      activated += !expected.worker.empty();
    }
    ASSERT_EQ(state.count(jobs::job_family), model_.size());
    ASSERT_EQ(state.count(jobs::activated_job_family), activated);
    ASSERT_EQ(due_index::count(state), activated);
    ASSERT_EQ(state.count(jobs::available_job_family),
              model_.size() - activated);
  }

  /// Once all jobs are completed, nothing is left.
  void end() {
    for (const auto* type : {"mail", "call"})
      partition_.activate(type, "last", 1'000, second, now_);
    for (const auto& each : std::vector{partition_.log})
      if (is_event(each, value_type::job, v1::JOB_INTENT_ACTIVATED))
        partition_.complete(each.key,
                            parse<v1::JobActivated>(each).activation(), now_);
    EXPECT_TRUE(partition_.state_.entries.empty());
    EXPECT_TRUE(partition_.replayed().empty());
  }

  std::mt19937_64 random_;
  job_partition partition_;
  timestamp now_ = start;
  std::uint64_t counter_ = 0;
  std::map<key, model_job> model_;
};

} // namespace

TEST(Jobs, BehaveAsTheModelForRandomCommands) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    job_story{seed}.run(400);
    if (HasFatalFailure())
      return;
  }
}

} // namespace gnomon::testing
