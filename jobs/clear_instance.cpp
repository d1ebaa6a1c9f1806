#include "engine/bans.hpp"
#include "engine/scope_index.hpp"
#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/timer.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

using engine::scope_index::member;

/// Tells the operator about a ban.
void raise(const v1::InstanceBanned& banned, key scope, result_builder& out) {
  v1::IncidentCreated incident;
  incident.set_cause(v1::INCIDENT_CAUSE_INSTANCE_BANNED);
  incident.set_banned_key(scope.value);
  incident.set_message(banned.reason());
  raise_incident(incident, scope, out);
}

/// The commands have no scope: those of a banned instance are refused.
void cancel(const member& what, result_builder& out) {
  if (what.value_type == value_type::timer)
    out.append_command(what.key, value_type::timer, {v1::TIMER_INTENT_CANCEL},
                       {});
  else if (what.value_type == value_type::job)
    out.append_command(what.key, value_type::job, {v1::JOB_INTENT_CANCEL}, {});
}

} // namespace

void clear_instance(const typed_record& command, const job_options& options,
                    result_builder& out) {
  v1::ClearInstance wanted;
  if (!command.parse(wanted) || !command.key)
    return out.reject(rejection_type::invalid_argument,
                      "expected a ClearInstance about a key, but it is none");
  // A client may ask, too.
  if (!engine::bans::contains(out.state(), command.key))
    return out.reject(rejection_type::invalid_state,
                      "expected a banned instance, but "
                        + std::to_string(command.key.value) + " is none");
  if (wanted.has_banned())
    raise(wanted.banned(), command.key, out);
  const auto members = engine::scope_index::members(
    out.state(), command.key, {wanted.after_key()},
    options.members_per_clear_max);
  v1::InstanceCleared cleared;
  cleared.set_canceled(members.size());
  cleared.set_complete(members.size() < options.members_per_clear_max);
  out.append_event(command.key, value_type::error, {v1::ERROR_INTENT_CLEARED},
                   cleared.SerializeAsString(), command.key);
  for (const auto& each : members)
    cancel(each, out);
  if (cleared.complete())
    return;
  v1::ClearInstance rest;
  rest.set_after_key(members.back().key.value);
  out.append_command(command.key, value_type::error, {v1::ERROR_INTENT_CLEAR},
                     rest.SerializeAsString());
}

} // namespace gnomon::jobs
