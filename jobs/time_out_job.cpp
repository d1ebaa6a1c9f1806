#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

/// Returns why the activation of `job` does not end yet, if so.
std::optional<std::string> reason_to_wait(const v1::TimeOutJob& wanted,
                                          const stored_job& job,
                                          const typed_record& command) {
  const auto name = name_of(command);
  if (!wanted.lost_worker().empty()) {
    if (job.worker == wanted.lost_worker())
      return std::nullopt;
    return "expected " + name + " to be with the lost worker \""
           + wanted.lost_worker() + "\", but \"" + std::string{job.worker}
           + "\" has it";
  }
  if (job.due <= command.timestamp)
    return std::nullopt;
  return "expected the deadline of " + name + " to have passed at "
         + std::to_string(command.timestamp.value) + " ms, but it is at "
         + std::to_string(job.due.value) + " ms";
}

} // namespace

void time_out_job(const typed_record& command, const job_options&,
                  result_builder& out) {
  v1::TimeOutJob wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a TimeOutJob, but the value is none");
  const auto job = require_activated(command, out);
  if (!job)
    return;
  if (auto reason = reason_to_wait(wanted, *job, command))
    return out.reject(rejection_type::invalid_state, std::move(*reason));
  v1::JobTimedOut timed_out;
  timed_out.set_worker(std::string{job->worker});
  timed_out.set_activation(job->activation);
  timed_out.set_worker_lost(job->due > command.timestamp);
  out.append_event(command.key, value_type::job, {v1::JOB_INTENT_TIMED_OUT},
                   timed_out.SerializeAsString(), job->scope);
}

} // namespace gnomon::jobs
