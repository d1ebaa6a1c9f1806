// As the appliers of jobs, these do not fail; see there.

#include "gnomon/check.hpp"
#include "jobs/incident_state.hpp"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

void apply_created(const typed_record& event, state_transaction& state) {
  v1::IncidentCreated created;
  if (!event.parse(created))
    created.Clear();
  insert_incident(state, event.key, event.timestamp, event.scope_key,
                  event.value, {created.job_key()});
}

void apply_resolved(const typed_record& event, state_transaction& state) {
  v1::IncidentResolved resolved;
  if (!event.parse(resolved))
    resolved.Clear();
  const key about{resolved.job_key()};
  erase_incident(state, event.key, about);
  if (!about || resolved.job_gone())
    return;
  const auto job = find_job(state, about);
  if (!job || job->phase != job_phase::failed)
    return;
  auto offered = *job;
  offered.phase = job_phase::available;
  replace_job(state, about, *job, offered);
}

} // namespace

void apply_incident_event(const typed_record& event, state_transaction& state) {
  if (event.intent.value == v1::INCIDENT_INTENT_CREATED)
    return apply_created(event, state);
  GNOMON_CHECK(event.intent.value == v1::INCIDENT_INTENT_RESOLVED);
  apply_resolved(event, state);
}

} // namespace gnomon::jobs
