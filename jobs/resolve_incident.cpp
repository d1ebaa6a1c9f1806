#include "gnomon/v1/incident.pb.h"
#include "jobs/incident_state.hpp"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

/// Returns why the job of an incident cannot be offered again, if so.
std::optional<std::string> reason_to_stay(key about, const stored_job& job) {
  if (job.retries > 0)
    return std::nullopt;
  return "expected job " + std::to_string(about.value)
         + " to have retries left, but it has none";
}

} // namespace

void resolve_incident(const typed_record& command, const job_options&,
                      result_builder& out) {
  const auto incident = find_incident(out.state(), command.key);
  if (!incident)
    return out.reject(rejection_type::not_found,
                      "expected an incident with key "
                        + std::to_string(command.key.value)
                        + ", but there is none");
  const key about{incident->created.job_key()};
  const auto job = about ? find_job(out.state(), about) : std::nullopt;
  if (job)
    if (auto reason = reason_to_stay(about, *job))
      return out.reject(rejection_type::invalid_state, std::move(*reason));
  v1::IncidentResolved resolved;
  resolved.set_cause(incident->created.cause());
  resolved.set_job_key(about.value);
  resolved.set_job_gone(about && !job);
  out.append_event(command.key, value_type::incident,
                   {v1::INCIDENT_INTENT_RESOLVED}, resolved.SerializeAsString(),
                   incident->scope);
}

void raise_incident(const v1::IncidentCreated& incident, key scope,
                    result_builder& out) {
  out.append_event(out.next_key(), value_type::incident,
                   {v1::INCIDENT_INTENT_CREATED}, incident.SerializeAsString(),
                   scope);
}

} // namespace gnomon::jobs
