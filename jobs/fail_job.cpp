#include "engine/retry_strategy.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/back_off.hpp"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

/// Returns what is wrong with `wanted`.
std::optional<std::string> fault_of(const v1::FailJob& wanted,
                                    const job_options& options) {
  if (wanted.has_back_off_ms()
      && (wanted.back_off_ms() < 0
          || wanted.back_off_ms() > options.back_off_ms_max))
    return "expected a back-off of 0 to "
           + std::to_string(options.back_off_ms_max) + " ms, but it is "
           + std::to_string(wanted.back_off_ms()) + " ms";
  return wanted.has_back_off()
           ? back_off_fault(wanted.back_off(), options.back_off_ms_max)
           : std::nullopt;
}

v1::BackOff default_policy(const job_options& options) {
  v1::BackOff result;
  result.set_initial_ms(options.back_off_initial_ms);
  result.set_factor(options.back_off_factor);
  result.set_max_ms(options.back_off_cap_ms);
  result.set_jitter_percent(options.back_off_jitter_percent);
  return result;
}

/// Returns the policy of the worker, else that of the job, else the default.
v1::BackOff policy_for(const v1::FailJob& wanted, const stored_job& job,
                       const job_options& options) {
  if (wanted.has_back_off())
    return wanted.back_off();
  v1::JobCreated created;
  if (created.ParseFromArray(job.created.data(),
                             static_cast<int>(job.created.size()))
      && created.has_back_off())
    return created.back_off();
  return default_policy(options);
}

std::uint32_t retries_left(const v1::FailJob& wanted, const stored_job& job) {
  if (wanted.has_retries())
    return wanted.retries();
  return job.retries - (job.retries > 0 ? 1 : 0);
}

std::int64_t delay_ms(const v1::FailJob& wanted, const stored_job& job,
                      key about, const job_options& options) {
  if (wanted.has_back_off_ms())
    return wanted.back_off_ms();
  return delay_ms_after(policy_for(wanted, job, options),
                        one_more(job.failures), about.value,
                        options.back_off_ms_max);
}

v1::JobFailed decide(const v1::FailJob& wanted, const stored_job& job,
                     const typed_record& command, const job_options& options) {
  v1::JobFailed failed;
  failed.set_worker(std::string{job.worker});
  failed.set_activation(job.activation);
  failed.set_message(engine::shortened(wanted.message()));
  failed.set_retries(retries_left(wanted, job));
  if (failed.retries() == 0)
    return failed;
  failed.set_back_off_ms(delay_ms(wanted, job, command.key, options));
  if (failed.back_off_ms() > 0)
    failed.set_due_ms(
      (command.timestamp + duration{failed.back_off_ms()}).value);
  return failed;
}

} // namespace

void fail_job(const typed_record& command, const job_options& options,
              result_builder& out) {
  v1::FailJob wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a FailJob, but the value is none");
  if (auto fault = fault_of(wanted, options))
    return out.reject(rejection_type::invalid_argument, std::move(*fault));
  const auto job = require_activation(command, wanted.activation(), out);
  if (!job)
    return;
  const auto failed = decide(wanted, *job, command, options);
  v1::IncidentCreated incident;
  incident.set_cause(v1::INCIDENT_CAUSE_JOB_WITHOUT_RETRIES);
  incident.set_job_key(command.key.value);
  incident.set_job_type(std::string{job->type});
  incident.set_message(failed.message());
  out.append_event(command.key, value_type::job, {v1::JOB_INTENT_FAILED},
                   failed.SerializeAsString(), job->scope);
  if (failed.retries() == 0)
    raise_incident(incident, job->scope, out);
}

} // namespace gnomon::jobs
