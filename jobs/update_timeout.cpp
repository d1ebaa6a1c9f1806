#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

void update_timeout(const typed_record& command, const job_options& options,
                    result_builder& out) {
  v1::UpdateJobTimeout wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected an UpdateJobTimeout, but the value is none");
  if (wanted.timeout_ms() < 1 || wanted.timeout_ms() > options.timeout_ms_max)
    return out.reject(
      rejection_type::invalid_argument,
      "expected a time-out of 1 to " + std::to_string(options.timeout_ms_max)
        + " ms, but it has " + std::to_string(wanted.timeout_ms()));
  const auto job = wanted.activation() == 0
                     ? require_activated(command, out)
                     : require_activation(command, wanted.activation(), out);
  if (!job)
    return;
  v1::JobTimeoutUpdated updated;
  updated.set_activation(job->activation);
  updated.set_deadline_ms(
    (command.timestamp + duration{wanted.timeout_ms()}).value);
  out.append_event(command.key, value_type::job,
                   {v1::JOB_INTENT_TIMEOUT_UPDATED},
                   updated.SerializeAsString(), job->scope);
}

} // namespace gnomon::jobs
