#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"
#include "jobs/job_processor.hpp"

namespace gnomon::jobs {

namespace {

/// Returns what is wrong with `wanted`.
std::optional<std::string> fault_of(const v1::ActivateJobs& wanted,
                                    const job_options& options) {
  const auto& worker = wanted.worker();
  if (worker.empty() || worker.size() > options.worker_bytes_max
      || worker.find('\0') != std::string::npos)
    return "expected a worker id of 1 to "
           + std::to_string(options.worker_bytes_max)
           + " bytes, none of them zero, but it has "
           + std::to_string(worker.size());
  if (wanted.type().empty() || wanted.type().size() > options.type_bytes_max)
    return "expected a type of 1 to " + std::to_string(options.type_bytes_max)
           + " bytes, but it has " + std::to_string(wanted.type().size());
  if (wanted.jobs_max() < 1
      || wanted.jobs_max() > options.jobs_per_activate_max)
    return "expected 1 to " + std::to_string(options.jobs_per_activate_max)
           + " jobs, but " + std::to_string(wanted.jobs_max()) + " are wanted";
  if (wanted.timeout_ms() < 1 || wanted.timeout_ms() > options.timeout_ms_max)
    return "expected a time-out of 1 to "
           + std::to_string(options.timeout_ms_max) + " ms, but it has "
           + std::to_string(wanted.timeout_ms());
  return std::nullopt;
}

/// Activates one job and hands it over.
void activate(key about, const typed_record& command,
              const v1::ActivateJobs& wanted, result_builder& out) {
  const auto job = find_job(out.state(), about);
  v1::JobPush push;
  auto* handed = push.mutable_job();
  if (!job
      || !handed->mutable_created()->ParseFromArray(
        job->created.data(), static_cast<int>(job->created.size())))
    return;
  v1::JobActivated activated;
  activated.set_worker(wanted.worker());
  activated.set_activation(job->activation + 1);
  const auto deadline = command.timestamp + duration{wanted.timeout_ms()};
  activated.set_deadline_ms(deadline.value);
  push.set_worker(wanted.worker());
  handed->set_key(about.value);
  handed->set_activation(activated.activation());
  handed->set_deadline_ms(deadline.value);
  handed->set_retries(job->retries);
  out.append_event(about, value_type::job, {v1::JOB_INTENT_ACTIVATED},
                   activated.SerializeAsString(), job->scope);
  out.deliver(job_channel, about, push.SerializeAsString());
}

} // namespace

void activate_jobs(const typed_record& command, const job_options& options,
                   result_builder& out) {
  v1::ActivateJobs wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected an ActivateJobs, but the value is none");
  if (auto fault = fault_of(wanted, options))
    return out.reject(rejection_type::invalid_argument, std::move(*fault));
  const auto available = first_keys(out.state(), available_job_family,
                                    wanted.type(), wanted.jobs_max());
  if (available.empty())
    return out.reject(rejection_type::not_found,
                      "expected a job of type \"" + wanted.type()
                        + "\" that waits for a worker, but there is none");
  for (const auto about : available)
    activate(about, command, wanted, out);
}

} // namespace gnomon::jobs
