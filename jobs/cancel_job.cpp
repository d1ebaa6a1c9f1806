#include "gnomon/v1/job.pb.h"
#include "jobs/incident_state.hpp"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

void cancel_job(const typed_record& command, const job_options&,
                result_builder& out) {
  const auto job = require_job(command, out);
  if (!job)
    return;
  const auto incident = incident_of_job(out.state(), command.key);
  out.append_event(command.key, value_type::job, {v1::JOB_INTENT_CANCELED}, {},
                   job->scope);
  if (!incident)
    return;
  v1::IncidentResolved resolved;
  if (const auto found = find_incident(out.state(), incident))
    resolved.set_cause(found->created.cause());
  resolved.set_job_key(command.key.value);
  resolved.set_job_gone(true);
  out.append_event(incident, value_type::incident,
                   {v1::INCIDENT_INTENT_RESOLVED}, resolved.SerializeAsString(),
                   job->scope);
}

} // namespace gnomon::jobs
