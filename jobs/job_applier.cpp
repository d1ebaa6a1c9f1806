// Appliers must not fail. A read that finds nothing is either a failure of the
// state, which sticks and stops the batch, or an event of a job that is gone;
// both leave the state as it is, so none of them is a check.

#include "engine/scope_index.hpp"
#include "gnomon/check.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

#include <utility>

namespace gnomon::jobs {

namespace {

namespace scope_index = engine::scope_index;

void apply_created(const typed_record& event, state_transaction& state) {
  v1::JobCreated created;
  if (!event.parse(created))
    created.Clear();
  stored_job job;
  job.retries = created.retries();
  job.scope = event.scope_key;
  job.type = created.type();
  job.created = event.value;
  insert_job(state, event.key, job);
  scope_index::add(state, event.scope_key, {event.key, value_type::job});
}

/// Lets `change` turn the job that `event` is about into what it is afterwards.
template <class Change>
void change_job(const typed_record& event, state_transaction& state,
                Change change) {
  const auto job = find_job(state, event.key);
  if (!job)
    return;
  auto changed = *job;
  change(changed);
  replace_job(state, event.key, *job, changed);
}

/// As above, for a change that depends on the value of the event, from which
/// the job may borrow. Does nothing if that is malformed.
template <class Event, class Change>
void change_job_by(const typed_record& event, state_transaction& state,
                   Change change) {
  Event value;
  if (event.parse(value))
    change_job(event, state,
               [&](stored_job& job) { change(job, std::as_const(value)); });
}

/// Takes the job from its worker, or ends its back-off.
void move_to(job_phase phase, stored_job& job) {
  job.phase = phase;
  job.worker = {};
  job.due = {};
}

void activate(stored_job& job, const v1::JobActivated& by) {
  // A worker without an id cannot have a job.
  if (by.worker().empty())
    return;
  job.phase = job_phase::activated;
  job.activation = by.activation();
  job.due = {by.deadline_ms()};
  job.worker = by.worker();
}

void fail(stored_job& job, const v1::JobFailed& by) {
  move_to(job_phase::available, job);
  job.retries = by.retries();
  job.failures = one_more(job.failures);
  if (job.retries == 0)
    return move_to(job_phase::failed, job);
  if (by.back_off_ms() == 0)
    return;
  job.phase = job_phase::backing_off;
  job.due = {by.due_ms()};
}

void set_retries(stored_job& job, const v1::UpdateJobRetries& by) {
  job.retries = by.retries();
  job.failures = 0;
}

void set_deadline(stored_job& job, const v1::JobTimeoutUpdated& by) {
  job.due = {by.deadline_ms()};
}

void apply_ended(const typed_record& event, state_transaction& state) {
  const auto job = find_job(state, event.key);
  if (!job)
    return;
  const auto scope = job->scope;
  erase_job(state, event.key, *job);
  scope_index::remove(state, scope, event.key);
}

void offer(stored_job& job) {
  move_to(job_phase::available, job);
}

void set_aside(stored_job& job) {
  move_to(job_phase::failed, job);
}

} // namespace

void apply_job_event(const typed_record& event, state_transaction& state) {
  switch (event.intent.value) {
  case v1::JOB_INTENT_CREATED:
    return apply_created(event, state);
  case v1::JOB_INTENT_ACTIVATED:
    return change_job_by<v1::JobActivated>(event, state, activate);
  case v1::JOB_INTENT_COMPLETED:
  case v1::JOB_INTENT_CANCELED:
    return apply_ended(event, state);
  case v1::JOB_INTENT_TIMED_OUT:
  case v1::JOB_INTENT_RECURRED_AFTER_BACKOFF:
    return change_job(event, state, offer);
  case v1::JOB_INTENT_FAILED:
    return change_job_by<v1::JobFailed>(event, state, fail);
  case v1::JOB_INTENT_ERROR_THROWN:
    return change_job(event, state, set_aside);
  case v1::JOB_INTENT_RETRIES_UPDATED:
    return change_job_by<v1::UpdateJobRetries>(event, state, set_retries);
  default:
    GNOMON_CHECK(event.intent.value == v1::JOB_INTENT_TIMEOUT_UPDATED);
    return change_job_by<v1::JobTimeoutUpdated>(event, state, set_deadline);
  }
}

} // namespace gnomon::jobs
