// Inside of `job_processor`: one function for each command, and the appliers.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result_builder.hpp"
#include "gnomon/state.hpp"
#include "gnomon/v1/incident.pb.h"
#include "jobs/job_options.hpp"
#include "jobs/job_state.hpp"

#include <optional>
#include <string>

namespace gnomon::jobs {

// -- commands -----------------------------------------------------------------

/// Decides one command.
using job_command = void(const typed_record& command,
                         const job_options& options, result_builder& out);

job_command create_job;
job_command activate_jobs;
job_command complete_job;
job_command fail_job;
job_command throw_error;
job_command time_out_job;
job_command recur_after_back_off;
job_command update_retries;
job_command update_timeout;
job_command cancel_job;
job_command resolve_incident;
job_command clear_instance;

// -- events -------------------------------------------------------------------

/// Applies an event of value type JOB.
void apply_job_event(const typed_record& event, state_transaction& state);

/// Applies an event of value type INCIDENT.
void apply_incident_event(const typed_record& event, state_transaction& state);

// -- what several commands need -----------------------------------------------

/// Returns "job <key>".
std::string name_of(const typed_record& command);

/// Finds the job that a command is about; rejects the command if there is none.
/// What these return borrows from the state.
std::optional<stored_job> require_job(const typed_record& command,
                                      result_builder& out);

/// Same, for a job that a worker must have.
std::optional<stored_job> require_activated(const typed_record& command,
                                            result_builder& out);

/// Same, for the answer of a worker to `activation`, which must be the present
/// one.
std::optional<stored_job> require_activation(const typed_record& command,
                                             std::uint32_t activation,
                                             result_builder& out);

/// Appends INCIDENT CREATED with a new key.
void raise_incident(const v1::IncidentCreated& incident, key scope,
                    result_builder& out);

} // namespace gnomon::jobs
