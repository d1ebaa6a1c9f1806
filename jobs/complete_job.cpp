#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

void complete_job(const typed_record& command, const job_options& options,
                  result_builder& out) {
  v1::CompleteJob wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a CompleteJob, but the value is none");
  if (wanted.result().size() > options.result_bytes_max)
    return out.reject(
      rejection_type::invalid_argument,
      "expected a result of at most " + std::to_string(options.result_bytes_max)
        + " bytes, but it has " + std::to_string(wanted.result().size()));
  const auto job = require_activation(command, wanted.activation(), out);
  if (!job)
    return;
  out.append_event(command.key, value_type::job, {v1::JOB_INTENT_COMPLETED},
                   command.value, job->scope);
}

} // namespace gnomon::jobs
