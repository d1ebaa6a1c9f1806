#include "tests/jobs/job_story.hpp"

namespace gnomon::testing {

namespace {

using jobs::job_phase;

/// The job is with nobody from now on.
void leave(model_job& job, job_phase phase) {
  job.phase = phase;
  job.worker.clear();
  job.due = {};
}

bool is_accepted(const std::vector<record>& outcome) {
  return outcome.at(0).record_type == record_type::event;
}

} // namespace

void job_story::run(int steps) {
  for (int i = 0; i < steps; ++i) {
    step();
    check();
    if (::testing::Test::HasFatalFailure())
      return;
    if (i % 50 == 0) {
      ASSERT_EQ(partition_.state_.entries, partition_.replayed());
    }
  }
  end();
}

void job_story::step() {
  switch (below(9)) {
  case 0:
    return create();
  case 1:
    return create_by_timer();
  case 2:
  case 3:
    return activate();
  case 4:
  case 5:
    return answer();
  case 6:
  case 7:
    return operate();
  default:
    return pass_time();
  }
}

void job_story::answer() {
  switch (below(6)) {
  case 0:
    return complete();
  case 1:
    return throw_error();
  case 2:
    return update_timeout();
  default:
    return fail();
  }
}

void job_story::operate() {
  switch (below(6)) {
  case 0:
    return time_out();
  case 1:
    return recur();
  case 2:
    return cancel();
  case 3:
    return update_retries();
  default:
    return resolve();
  }
}

// -- choices ------------------------------------------------------------------

key job_story::some_key() {
  if (model_.empty() || below(4) == 0)
    return key::make({1}, 1 + below(counter_ + 2));
  auto at = model_.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(below(model_.size())));
  return at->first;
}

std::uint32_t job_story::some_activation(key about) {
  const auto found = model_.find(about);
  if (found == model_.end() || below(4) == 0)
    return static_cast<std::uint32_t>(below(4));
  return found->second.activation;
}

void job_story::insert(key about, std::string type, std::uint32_t retries) {
  counter_ = about.counter();
  model_job job;
  job.type = std::move(type);
  job.retries = retries;
  ASSERT_TRUE(model_.emplace(about, std::move(job)).second);
}

model_job* job_story::expect_in(const outcome_list& outcome, key about,
                                std::optional<job_phase> phase) {
  const auto found = model_.find(about);
  if (found == model_.end()) {
    expect_rejection(outcome, rejection_type::not_found, "");
    return nullptr;
  }
  if (phase && found->second.phase != *phase) {
    expect_rejection(outcome, rejection_type::invalid_state, "");
    return nullptr;
  }
  return &found->second;
}

model_job* job_story::expect_activation(const outcome_list& outcome, key about,
                                        std::uint32_t activation) {
  auto* job = expect_in(outcome, about, job_phase::activated);
  if (job == nullptr || job->activation == activation)
    return job;
  expect_rejection(outcome, rejection_type::invalid_state, "");
  return nullptr;
}

// -- commands -----------------------------------------------------------------

void job_story::create() {
  const auto type = some_type();
  const auto retries = static_cast<std::uint32_t>(1 + below(3));
  insert(partition_.create_job(type, now_, retries), type, retries);
}

void job_story::create_by_timer() {
  const auto timer = partition_.create_due(now_, now_);
  const auto outcome = partition_.trigger(timer, now_);
  ASSERT_EQ(outcome.size(), 2u);
  insert(outcome[1].key, "mail", 3);
}

void job_story::activate() {
  const auto type = some_type();
  const auto worker = some_worker();
  const auto jobs_max = static_cast<std::uint32_t>(1 + below(3));
  const auto outcome
    = partition_.activate(type, worker, jobs_max, second, now_);
  key_list expected;
  for (auto& [about, job] : model_) {
    if (job.type != type || job.phase != job_phase::available
        || expected.size() == jobs_max)
      continue;
    expected.push_back(about);
    job.phase = job_phase::activated;
    job.worker = worker;
    job.due = now_ + second;
    ++job.activation;
  }
  if (expected.empty())
    return expect_rejection(outcome, rejection_type::not_found, "");
  ASSERT_EQ(keys_of(outcome, v1::JOB_INTENT_ACTIVATED), expected);
}

void job_story::complete() {
  const auto about = some_key();
  const auto activation = some_activation(about);
  const auto outcome = partition_.complete(about, activation, now_);
  if (expect_activation(outcome, about, activation) == nullptr)
    return;
  ASSERT_TRUE(is_accepted(outcome));
  model_.erase(about);
}

void job_story::fail() {
  const auto about = some_key();
  v1::FailJob value;
  value.set_activation(some_activation(about));
  if (below(3) == 0)
    value.set_retries(static_cast<std::uint32_t>(below(3)));
  if (below(2) == 0)
    value.set_back_off_ms(static_cast<std::int64_t>(below(3) * 1'000));
  const auto outcome = partition_.fail(about, value, now_);
  auto* job = expect_activation(outcome, about, value.activation());
  if (job == nullptr)
    return;
  const auto failed = parse<v1::JobFailed>(outcome.at(0));
  job->retries = value.has_retries() ? value.retries() : job->retries - 1;
  ++job->failures;
  ASSERT_EQ(failed.retries(), job->retries);
  leave(*job, job_phase::available);
  if (job->retries == 0) {
    job->phase = job_phase::failed;
    job->incident = outcome.at(1).key;
    counter_ = job->incident.counter();
  } else if (failed.back_off_ms() > 0) {
    job->phase = job_phase::backing_off;
    job->due = now_ + duration{failed.back_off_ms()};
    ASSERT_EQ(failed.due_ms(), job->due.value);
  }
  if (value.has_back_off_ms() && job->retries > 0) {
    ASSERT_EQ(failed.back_off_ms(), value.back_off_ms());
  }
}

void job_story::throw_error() {
  const auto about = some_key();
  const auto activation = some_activation(about);
  const auto outcome = partition_.throw_error(about, activation, now_);
  auto* job = expect_activation(outcome, about, activation);
  if (job == nullptr)
    return;
  ASSERT_EQ(outcome.size(), 2u);
  leave(*job, job_phase::failed);
  job->incident = outcome[1].key;
  counter_ = job->incident.counter();
}

void job_story::time_out() {
  const auto about = some_key();
  const auto lost = below(2) == 0 ? some_worker() : std::string{};
  const auto outcome = partition_.time_out(about, now_, lost);
  auto* job = expect_in(outcome, about, job_phase::activated);
  if (job == nullptr)
    return;
  if (lost.empty() ? now_ < job->due : job->worker != lost)
    return expect_rejection(outcome, rejection_type::invalid_state, "");
  ASSERT_TRUE(is_accepted(outcome));
  leave(*job, job_phase::available);
}

void job_story::recur() {
  const auto about = some_key();
  const auto outcome = partition_.recur(about, now_);
  auto* job = expect_in(outcome, about, job_phase::backing_off);
  if (job == nullptr)
    return;
  if (now_ < job->due)
    return expect_rejection(outcome, rejection_type::invalid_state, "");
  leave(*job, job_phase::available);
}

void job_story::update_retries() {
  const auto about = some_key();
  const auto retries = static_cast<std::uint32_t>(1 + below(3));
  const auto outcome = partition_.update_retries(about, retries, now_);
  if (auto* job = expect_in(outcome, about, std::nullopt)) {
    ASSERT_TRUE(is_accepted(outcome));
    job->retries = retries;
    job->failures = 0;
  }
}

void job_story::update_timeout() {
  const auto about = some_key();
  const auto activation = some_activation(about);
  const duration timeout{static_cast<std::int64_t>(1 + below(3'000))};
  const auto outcome
    = partition_.update_timeout(about, activation, timeout, now_);
  auto* job = activation == 0 ? expect_in(outcome, about, job_phase::activated)
                              : expect_activation(outcome, about, activation);
  if (job != nullptr)
    job->due = now_ + timeout;
}

void job_story::cancel() {
  const auto about = some_key();
  const auto outcome = partition_.cancel_job(about, now_);
  auto* job = expect_in(outcome, about, std::nullopt);
  if (job == nullptr)
    return;
  ASSERT_EQ(outcome.size(), job->incident ? 2u : 1u);
  model_.erase(about);
}

void job_story::resolve() {
  const auto about = some_key();
  const auto found = model_.find(about);
  const auto incident = found != model_.end() ? found->second.incident : key{};
  const auto outcome = partition_.resolve(incident, now_);
  if (!incident)
    return expect_rejection(outcome, rejection_type::not_found, "");
  if (found->second.retries == 0)
    return expect_rejection(outcome, rejection_type::invalid_state, "");
  ASSERT_TRUE(is_accepted(outcome));
  leave(found->second, job_phase::available);
  found->second.incident = {};
}

void job_story::pass_time() {
  now_ = now_ + duration{static_cast<std::int64_t>(below(2'000))};
  for (const auto& outcome : partition_.trigger_due(now_))
    ASSERT_EQ(outcome.record_type, record_type::event);
  for (auto& [about, job] : model_)
    if ((job.phase == job_phase::activated
         || job.phase == job_phase::backing_off)
        && job.due <= now_)
      leave(job, job_phase::available);
}

// -- promises -----------------------------------------------------------------

void job_story::check_job(key about, const model_job& expected) {
  const auto job = jobs::find_job(partition_.view(), about);
  ASSERT_TRUE(job);
  ASSERT_EQ(job->phase, expected.phase);
  ASSERT_EQ(job->type, expected.type);
  ASSERT_EQ(job->worker, expected.worker);
  ASSERT_EQ(job->activation, expected.activation);
  ASSERT_EQ(job->retries, expected.retries);
  ASSERT_EQ(job->failures, expected.failures);
  ASSERT_EQ(job->due, expected.due);
  ASSERT_EQ(jobs::incident_of_job(partition_.view(), about), expected.incident);
}

/// Bodies and indexes are exactly those of the model: as many entries as there
/// should be, and each of them is right.
void job_story::check() {
  const auto& state = partition_.view();
  std::map<job_phase, std::uint64_t> counts;
  std::vector<due_entry> due;
  for (const auto& [about, expected] : model_) {
    check_job(about, expected);
    ++counts[expected.phase];
    const auto verb = expected.phase == job_phase::activated
                        ? v1::JOB_INTENT_TIME_OUT
                        : v1::JOB_INTENT_RECUR_AFTER_BACKOFF;
    if (expected.due != timestamp{})
      due.push_back({expected.due,
                     value_type::job,
                     {static_cast<std::uint16_t>(verb)},
                     about});
  }
  std::ranges::sort(due);
  std::vector<due_entry> found;
  due_index::visit_near(state, {timestamp::min()}, [&](const due_entry& entry) {
    found.push_back(entry);
    return true;
  });
  ASSERT_EQ(found, due);
  ASSERT_EQ(state.count(jobs::job_family), model_.size());
  ASSERT_EQ(state.count(jobs::available_job_family),
            counts[job_phase::available]);
  ASSERT_EQ(state.count(jobs::activated_job_family),
            counts[job_phase::activated]);
  ASSERT_EQ(state.count(jobs::failed_job_family), counts[job_phase::failed]);
  ASSERT_EQ(state.count(jobs::incident_family), counts[job_phase::failed]);
}

/// Once all jobs are completed or cancelled, nothing is left.
void job_story::end() {
  for (const auto* type : {"mail", "call"})
    partition_.activate(type, "last", 1'000, second, now_);
  for (const auto& each : std::vector{partition_.log})
    if (is_event(each, value_type::job, v1::JOB_INTENT_ACTIVATED))
      partition_.complete(each.key, parse<v1::JobActivated>(each).activation(),
                          now_);
  for (const auto& [about, job] : model_)
    if (job.phase == job_phase::failed || job.phase == job_phase::backing_off) {
      ASSERT_TRUE(is_accepted(partition_.cancel_job(about, now_)));
    }
  EXPECT_TRUE(partition_.state_.entries.empty());
  EXPECT_TRUE(partition_.replayed().empty());
}

} // namespace gnomon::testing
