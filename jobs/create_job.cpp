#include "gnomon/v1/job.pb.h"
#include "jobs/back_off.hpp"
#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

namespace {

/// Returns what is wrong with `wanted`.
std::optional<std::string> fault_of(const v1::JobCreated& wanted,
                                    const job_options& options) {
  const auto& type = wanted.type();
  if (type.empty() || type.size() > options.type_bytes_max
      || type.find('\0') != std::string::npos)
    return "expected a type of 1 to " + std::to_string(options.type_bytes_max)
           + " bytes, none of them zero, but it has "
           + std::to_string(type.size());
  if (wanted.payload().size() > options.payload_bytes_max)
    return "expected a payload of at most "
           + std::to_string(options.payload_bytes_max) + " bytes, but it has "
           + std::to_string(wanted.payload().size());
  return wanted.has_back_off()
           ? back_off_fault(wanted.back_off(), options.back_off_ms_max)
           : std::nullopt;
}

} // namespace

void create_job(const typed_record& command, const job_options& options,
                result_builder& out) {
  v1::JobCreated job;
  if (!command.parse(job))
    return out.reject(rejection_type::invalid_argument,
                      "expected a JobCreated, but the value is none");
  if (auto fault = fault_of(job, options))
    return out.reject(rejection_type::invalid_argument, std::move(*fault));
  if (job.retries() == 0)
    job.set_retries(options.retries_default);
  out.append_event(out.next_key(), value_type::job, {v1::JOB_INTENT_CREATED},
                   job.SerializeAsString(), command.scope_key);
}

} // namespace gnomon::jobs
