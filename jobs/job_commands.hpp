// Inside of `job_processor`: one function for each command, and the appliers.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result_builder.hpp"
#include "gnomon/state.hpp"
#include "jobs/job_options.hpp"
#include "jobs/job_state.hpp"

#include <optional>

namespace gnomon::jobs {

void create_job(const typed_record& command, const job_options& options,
                result_builder& out);

void activate_jobs(const typed_record& command, const job_options& options,
                   result_builder& out);

void complete_job(const typed_record& command, const job_options& options,
                  result_builder& out);

void time_out_job(const typed_record& command, const job_options& options,
                  result_builder& out);

/// Applies an event of value type JOB.
void apply_job_event(const typed_record& event, state_transaction& state);

/// Finds the job that a command is about, which a worker must have; rejects the
/// command otherwise. Borrows from the state.
std::optional<stored_job> require_activated(const typed_record& command,
                                            result_builder& out);

} // namespace gnomon::jobs
