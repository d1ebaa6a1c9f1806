// Appliers must not fail. A read that finds nothing is either a failure of the
// state, which sticks and stops the batch, or an event of a job that is gone;
// both leave the state as it is, so none of them is a check.

#include "gnomon/check.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

/// Returns the type of a job from its `JobCreated`, empty if malformed.
std::string type_of(bytes_view created) {
  v1::JobCreated job;
  if (!job.ParseFromArray(created.data(), static_cast<int>(created.size())))
    return {};
  return std::move(*job.mutable_type());
}

void apply_created(const typed_record& event, state_transaction& state) {
  stored_job job;
  job.created = event.value;
  put_job(state, event.key, job);
  add_available(state, type_of(event.value), event.key);
}

void apply_activated(const typed_record& event, state_transaction& state) {
  v1::JobActivated activated;
  auto job = find_job(state, event.key);
  if (!job || !event.parse(activated) || activated.worker().empty())
    return;
  const auto type = type_of(job->created);
  job->phase = job_phase::activated;
  job->activation = activated.activation();
  job->deadline = {activated.deadline_ms()};
  job->worker = activated.worker();
  put_job(state, event.key, *job);
  remove_available(state, type, event.key);
  add_activation(state, event.key, activated.worker(),
                 {activated.deadline_ms()});
}

void apply_completed(const typed_record& event, state_transaction& state) {
  const auto job = find_job(state, event.key);
  if (!job)
    return;
  remove_activation(state, event.key, std::string{job->worker}, job->deadline);
  erase_job(state, event.key);
}

void apply_timed_out(const typed_record& event, state_transaction& state) {
  auto job = find_job(state, event.key);
  if (!job)
    return;
  // Writing ends what `job` borrows, so what is needed later is copied.
  const auto type = type_of(job->created);
  const std::string worker{job->worker};
  const auto deadline = job->deadline;
  job->phase = job_phase::available;
  job->worker = {};
  job->deadline = {};
  put_job(state, event.key, *job);
  remove_activation(state, event.key, worker, deadline);
  add_available(state, type, event.key);
}

} // namespace

void apply_job_event(const typed_record& event, state_transaction& state) {
  switch (event.intent.value) {
  case v1::JOB_INTENT_CREATED:
    return apply_created(event, state);
  case v1::JOB_INTENT_ACTIVATED:
    return apply_activated(event, state);
  case v1::JOB_INTENT_COMPLETED:
    return apply_completed(event, state);
  default:
    GNOMON_CHECK(event.intent.value == v1::JOB_INTENT_TIMED_OUT);
    return apply_timed_out(event, state);
  }
}

} // namespace gnomon::jobs
