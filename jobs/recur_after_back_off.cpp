#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

void recur_after_back_off(const typed_record& command, const job_options&,
                          result_builder& out) {
  const auto job = require_job(command, out);
  if (!job)
    return;
  if (job->phase != job_phase::backing_off)
    return out.reject(rejection_type::invalid_state,
                      "expected " + name_of(command)
                        + " to be backing off, but it is not");
  if (job->due > command.timestamp)
    return out.reject(
      rejection_type::invalid_state,
      "expected the back-off of " + name_of(command) + " to be over at "
        + std::to_string(command.timestamp.value) + " ms, but it ends at "
        + std::to_string(job->due.value) + " ms");
  out.append_event(command.key, value_type::job,
                   {v1::JOB_INTENT_RECURRED_AFTER_BACKOFF}, {}, job->scope);
}

} // namespace gnomon::jobs
