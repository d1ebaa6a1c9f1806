#include "jobs/job_commands.hpp"

namespace gnomon::jobs {

std::string name_of(const typed_record& command) {
  return "job " + std::to_string(command.key.value);
}

std::optional<stored_job> require_job(const typed_record& command,
                                      result_builder& out) {
  auto job = find_job(out.state(), command.key);
  if (!job)
    out.reject(rejection_type::not_found, "expected a job with key "
                                            + std::to_string(command.key.value)
                                            + ", but there is none");
  return job;
}

std::optional<stored_job> require_activated(const typed_record& command,
                                            result_builder& out) {
  auto job = require_job(command, out);
  if (!job || job->phase == job_phase::activated)
    return job;
  out.reject(rejection_type::invalid_state,
             "expected " + name_of(command)
               + " to be with a worker, but it waits for activation "
               + std::to_string(job->activation + 1));
  return std::nullopt;
}

std::optional<stored_job> require_activation(const typed_record& command,
                                             std::uint32_t activation,
                                             result_builder& out) {
  auto job = require_activated(command, out);
  if (!job || job->activation == activation)
    return job;
  out.reject(rejection_type::invalid_state,
             "expected activation " + std::to_string(job->activation) + " of "
               + name_of(command) + ", but the answer is to activation "
               + std::to_string(activation));
  return std::nullopt;
}

} // namespace gnomon::jobs
