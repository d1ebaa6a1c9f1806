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

/// Activates jobs for a worker, and hands several over at once.
class activation {
public:
  activation(const typed_record& command, const v1::ActivateJobs& wanted,
             std::size_t push_bytes_max, result_builder& out)
    : worker_(wanted.worker()),
      deadline_(command.timestamp + duration{wanted.timeout_ms()}),
      push_bytes_max_(push_bytes_max), out_(out) {
    // nop
  }

  void add(key about) {
    const auto job = find_job(out_.state(), about);
    if (!job)
      return;
    const auto number = job->activation + 1;
    hand_over(about, number, *job);
    v1::JobActivated activated;
    activated.set_worker(worker_);
    activated.set_activation(number);
    activated.set_deadline_ms(deadline_.value);
    out_.append_event(about, value_type::job, {v1::JOB_INTENT_ACTIVATED},
                      activated.SerializeAsString(), job->scope);
  }

  /// Hands over what is left.
  void finish() {
    if (handed_.jobs().empty())
      return;
    v1::JobPush push;
    push.set_worker(worker_);
    handed_.SerializeToString(push.mutable_jobs());
    out_.deliver(job_channel, {handed_.jobs(0).key()},
                 push.SerializeAsString());
    handed_.Clear();
    handed_bytes_ = 0;
  }

private:
  void hand_over(key about, std::uint32_t number, const stored_job& job) {
    if (handed_bytes_ + job.created.size() > push_bytes_max_)
      finish();
    handed_bytes_ += job.created.size();
    auto* handed = handed_.add_jobs();
    handed->set_key(about.value);
    handed->set_activation(number);
    handed->set_created(job.created.data(), job.created.size());
    handed->set_deadline_ms(deadline_.value);
    handed->set_retries(job.retries);
  }

  const std::string& worker_;
  timestamp deadline_;
  std::size_t push_bytes_max_;
  result_builder& out_;
  v1::EncodedJobs handed_;
  std::size_t handed_bytes_ = 0;
};

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
  activation all{command, wanted, options.push_bytes_max, out};
  for (const auto about : available)
    all.add(about);
  all.finish();
}

} // namespace gnomon::jobs
