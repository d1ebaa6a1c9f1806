#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

void update_retries(const typed_record& command, const job_options&,
                    result_builder& out) {
  v1::UpdateJobRetries wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected an UpdateJobRetries, but the value is none");
  if (wanted.retries() == 0)
    return out.reject(rejection_type::invalid_argument,
                      "expected at least 1 retry of " + name_of(command)
                        + ", but 0 are wanted");
  const auto job = require_job(command, out);
  if (!job)
    return;
  out.append_event(command.key, value_type::job,
                   {v1::JOB_INTENT_RETRIES_UPDATED}, wanted.SerializeAsString(),
                   job->scope);
}

} // namespace gnomon::jobs
