#include "tests/simulation/job_model.hpp"

#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"

namespace gnomon::simulation {

namespace {

using phase = modelled_job::phase;

} // namespace

void job_model::breach(const record& event, const std::string& what) {
  trace_->breach("job " + std::to_string(event.key.value) + ", position "
                 + std::to_string(event.position.value) + ": " + what);
}

void job_model::apply(const record& event) {
  switch (event.intent.value) {
  case v1::JOB_INTENT_CREATED:
    return created(event);
  case v1::JOB_INTENT_ACTIVATED:
    return activated(event);
  case v1::JOB_INTENT_COMPLETED:
    return completed(event);
  case v1::JOB_INTENT_TIMED_OUT:
    return timed_out(event);
  case v1::JOB_INTENT_FAILED:
    return failed(event);
  case v1::JOB_INTENT_RECURRED_AFTER_BACKOFF:
    return recurred(event);
  case v1::JOB_INTENT_ERROR_THROWN:
    return error_thrown(event);
  case v1::JOB_INTENT_RETRIES_UPDATED:
    return retries_updated(event);
  case v1::JOB_INTENT_TIMEOUT_UPDATED:
    return timeout_updated(event);
  case v1::JOB_INTENT_CANCELED:
    return canceled(event);
  default:
    breach(event, "an event that nobody knows");
  }
}

bool job_model::was_activated(std::uint64_t job, std::uint32_t activation,
                              const std::string& worker) const {
  const auto found = activations_.find({job, activation});
  return found != activations_.end() && found->second == worker;
}

job_model::jobs::iterator job_model::require(const record& event) {
  const auto found = open_.find(event.key.value);
  if (found == open_.end())
    breach(event, "intent " + std::to_string(event.intent.value)
                    + " of a job that is not there");
  return found;
}

void job_model::created(const record& event) {
  v1::JobCreated value;
  value.ParseFromString(event.value);
  if (!known_.insert(event.key.value).second)
    breach(event, "its key was used before");
  if (value.timer_key() != 0) {
    if (!timers_->has_triggered(value.timer_key(), value.occurrence()))
      breach(event, "its timer has not triggered");
    if (!causes_.emplace(value.timer_key(), value.occurrence()).second)
      breach(event, "a second job of one occurrence");
  }
  auto& job = open_[event.key.value];
  job.type = value.type();
  job.retries = value.retries();
}

void job_model::activated(const record& event) {
  const auto found = require(event);
  if (found == open_.end())
    return;
  v1::JobActivated value;
  value.ParseFromString(event.value);
  auto& job = found->second;
  if (job.now != phase::available)
    breach(event, "activated, but worker \"" + job.worker
                    + "\" has it, or it has to wait");
  if (value.activation() != job.activation + 1 || value.worker().empty())
    breach(event, "activation " + std::to_string(value.activation())
                    + " follows " + std::to_string(job.activation));
  job.now = phase::activated;
  job.activation = value.activation();
  job.worker = value.worker();
  job.due = {value.deadline_ms()};
  activations_[{event.key.value, job.activation}] = job.worker;
}

job_model::jobs::iterator
job_model::require_activation(const record& event, std::uint32_t activation) {
  const auto found = require(event);
  if (found != open_.end()
      && (found->second.now != phase::activated
          || found->second.activation != activation))
    breach(event, "intent " + std::to_string(event.intent.value)
                    + " by a stale answer");
  return found;
}

void job_model::completed(const record& event) {
  v1::CompleteJob value;
  value.ParseFromString(event.value);
  const auto found = require_activation(event, value.activation());
  if (found != open_.end())
    open_.erase(found);
}

void job_model::timed_out(const record& event) {
  v1::JobTimedOut value;
  value.ParseFromString(event.value);
  const auto found = require_activation(event, value.activation());
  if (found == open_.end())
    return;
  auto& job = found->second;
  if (job.worker != value.worker())
    breach(event, "timed out another worker than " + job.worker);
  if (!value.worker_lost() && event.timestamp < job.due)
    breach(event, "timed out before its deadline");
  job.now = phase::available;
  job.worker.clear();
}

void job_model::failed(const record& event) {
  v1::JobFailed value;
  value.ParseFromString(event.value);
  const auto found = require_activation(event, value.activation());
  if (found == open_.end())
    return;
  auto& job = found->second;
  job.retries = value.retries();
  job.worker.clear();
  job.due = {value.due_ms()};
  if (job.retries == 0)
    job.now = phase::failed;
  else
    job.now = value.due_ms() != 0 ? phase::backing_off : phase::available;
}

void job_model::recurred(const record& event) {
  const auto found = require(event);
  if (found == open_.end())
    return;
  auto& job = found->second;
  if (job.now != phase::backing_off || event.timestamp < job.due)
    breach(event, "ends a back-off too soon");
  job.now = phase::available;
}

void job_model::error_thrown(const record& event) {
  v1::ErrorThrown value;
  value.ParseFromString(event.value);
  const auto found = require_activation(event, value.activation());
  if (found == open_.end())
    return;
  found->second.now = phase::failed;
  found->second.worker.clear();
}

void job_model::retries_updated(const record& event) {
  v1::UpdateJobRetries value;
  value.ParseFromString(event.value);
  if (value.retries() == 0)
    breach(event, "left without retries");
  if (const auto found = require(event); found != open_.end())
    found->second.retries = value.retries();
}

void job_model::timeout_updated(const record& event) {
  v1::JobTimeoutUpdated value;
  value.ParseFromString(event.value);
  const auto found = require_activation(event, value.activation());
  if (found != open_.end())
    found->second.due = {value.deadline_ms()};
}

void job_model::canceled(const record& event) {
  if (const auto found = require(event); found != open_.end())
    open_.erase(found);
}

// -- incidents ----------------------------------------------------------------

void job_model::apply_incident(const record& event) {
  if (event.intent.value == v1::INCIDENT_INTENT_CREATED)
    incident_created(event);
  else
    incident_resolved(event);
}

void job_model::incident_created(const record& event) {
  v1::IncidentCreated value;
  value.ParseFromString(event.value);
  const auto found = open_.find(value.job_key());
  if (found == open_.end() || found->second.now != phase::failed)
    breach(event, "an incident of a job that has not failed");
  for (const auto& [incident, job] : incidents_)
    if (job == value.job_key())
      breach(event, "a second incident of one job");
  incidents_[event.key.value] = value.job_key();
}

void job_model::incident_resolved(const record& event) {
  v1::IncidentResolved value;
  value.ParseFromString(event.value);
  const auto incident = incidents_.find(event.key.value);
  if (incident == incidents_.end())
    return breach(event, "resolved an incident that is not there");
  const auto found = open_.find(incident->second);
  if ((found == open_.end()) != value.job_gone())
    breach(event, "is wrong about its job being gone");
  if (found != open_.end()) {
    if (found->second.retries == 0)
      breach(event, "its job is offered again without retries");
    found->second.now = phase::available;
  }
  incidents_.erase(incident);
}

} // namespace gnomon::simulation
