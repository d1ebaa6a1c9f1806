#include "jobs/job_processor.hpp"

#include "gnomon/check.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/job_commands.hpp"
#include "timers/timer_options.hpp"

namespace gnomon::jobs {

namespace {

bool is_command(intent what) {
  switch (what.value) {
  case v1::JOB_INTENT_CREATE:
  case v1::JOB_INTENT_ACTIVATE:
  case v1::JOB_INTENT_COMPLETE:
  case v1::JOB_INTENT_TIME_OUT:
    return true;
  default:
    return false;
  }
}

bool is_event(intent what) {
  switch (what.value) {
  case v1::JOB_INTENT_CREATED:
  case v1::JOB_INTENT_ACTIVATED:
  case v1::JOB_INTENT_COMPLETED:
  case v1::JOB_INTENT_TIMED_OUT:
    return true;
  default:
    return false;
  }
}

} // namespace

job_processor::job_processor(job_options options) : options_(options) {
  GNOMON_CHECK(options_.type_bytes_max <= timers::text_bytes_limit);
  GNOMON_CHECK(options_.worker_bytes_max <= timers::text_bytes_limit);
}

bool job_processor::accepts(gnomon::value_type type, intent what,
                            record_type kind) const {
  if (type != value_type::job)
    return false;
  return (kind == record_type::command && is_command(what))
         || (kind == record_type::event && is_event(what));
}

void job_processor::process(const typed_record& command, result_builder& out) {
  switch (command.intent.value) {
  case v1::JOB_INTENT_CREATE:
    return create_job(command, options_, out);
  case v1::JOB_INTENT_ACTIVATE:
    return activate_jobs(command, options_, out);
  case v1::JOB_INTENT_COMPLETE:
    return complete_job(command, options_, out);
  default:
    GNOMON_CHECK(command.intent.value == v1::JOB_INTENT_TIME_OUT);
    return time_out_job(command, options_, out);
  }
}

void job_processor::replay(const typed_record& event,
                           state_transaction& state) {
  GNOMON_CHECK(event.value_type == value_type::job);
  apply_job_event(event, state);
}

processing_error job_processor::on_processing_error(const error&,
                                                    const typed_record&,
                                                    result_builder&) {
  return processing_error::reject;
}

std::optional<stored_job> require_activated(const typed_record& command,
                                            result_builder& out) {
  auto job = find_job(out.state(), command.key);
  if (!job) {
    out.reject(rejection_type::not_found, "expected a job with key "
                                            + std::to_string(command.key.value)
                                            + ", but there is none");
    return std::nullopt;
  }
  if (job->phase != job_phase::activated) {
    out.reject(rejection_type::invalid_state,
               "expected job " + std::to_string(command.key.value)
                 + " to be with a worker, but it waits for activation "
                 + std::to_string(job->activation + 1));
    return std::nullopt;
  }
  return job;
}

} // namespace gnomon::jobs
