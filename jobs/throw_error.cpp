#include "engine/retry_strategy.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

void throw_error(const typed_record& command, const job_options& options,
                 result_builder& out) {
  v1::ThrowError wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a ThrowError, but the value is none");
  if (wanted.code().empty()
      || wanted.code().size() > options.error_code_bytes_max)
    return out.reject(rejection_type::invalid_argument,
                      "expected an error code of 1 to "
                        + std::to_string(options.error_code_bytes_max)
                        + " bytes, but it has "
                        + std::to_string(wanted.code().size()));
  const auto job = require_activation(command, wanted.activation(), out);
  if (!job)
    return;
  v1::ErrorThrown thrown;
  thrown.set_worker(std::string{job->worker});
  thrown.set_activation(job->activation);
  thrown.set_code(wanted.code());
  thrown.set_message(engine::shortened(wanted.message()));
  v1::IncidentCreated incident;
  incident.set_cause(v1::INCIDENT_CAUSE_ERROR_NOT_CAUGHT);
  incident.set_job_key(command.key.value);
  incident.set_job_type(std::string{job->type});
  incident.set_error_code(thrown.code());
  incident.set_message(thrown.message());
  out.append_event(command.key, value_type::job, {v1::JOB_INTENT_ERROR_THROWN},
                   thrown.SerializeAsString(), job->scope);
  raise_incident(incident, job->scope, out);
}

} // namespace gnomon::jobs
