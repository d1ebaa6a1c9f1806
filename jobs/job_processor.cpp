#include "jobs/job_processor.hpp"

#include "gnomon/check.hpp"
#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/partition.pb.h"
#include "jobs/job_commands.hpp"
#include "timers/timer_options.hpp"

namespace gnomon::jobs {

namespace {

job_command* job_command_for(intent what) {
  switch (what.value) {
  case v1::JOB_INTENT_CREATE:
    return create_job;
  case v1::JOB_INTENT_ACTIVATE:
    return activate_jobs;
  case v1::JOB_INTENT_COMPLETE:
    return complete_job;
  case v1::JOB_INTENT_TIME_OUT:
    return time_out_job;
  case v1::JOB_INTENT_FAIL:
    return fail_job;
  case v1::JOB_INTENT_RECUR_AFTER_BACKOFF:
    return recur_after_back_off;
  case v1::JOB_INTENT_THROW_ERROR:
    return throw_error;
  case v1::JOB_INTENT_UPDATE_RETRIES:
    return update_retries;
  case v1::JOB_INTENT_UPDATE_TIMEOUT:
    return update_timeout;
  case v1::JOB_INTENT_CANCEL:
    return cancel_job;
  default:
    return nullptr;
  }
}

/// Returns what decides a command of this kind, if anything here does.
job_command* command_for(value_type type, intent what) {
  if (type == value_type::job)
    return job_command_for(what);
  if (type == value_type::incident && what.value == v1::INCIDENT_INTENT_RESOLVE)
    return resolve_incident;
  if (type == value_type::error && what.value == v1::ERROR_INTENT_CLEAR)
    return clear_instance;
  return nullptr;
}

bool is_job_event(intent what) {
  switch (what.value) {
  case v1::JOB_INTENT_CREATED:
  case v1::JOB_INTENT_ACTIVATED:
  case v1::JOB_INTENT_COMPLETED:
  case v1::JOB_INTENT_TIMED_OUT:
  case v1::JOB_INTENT_FAILED:
  case v1::JOB_INTENT_RECURRED_AFTER_BACKOFF:
  case v1::JOB_INTENT_ERROR_THROWN:
  case v1::JOB_INTENT_RETRIES_UPDATED:
  case v1::JOB_INTENT_TIMEOUT_UPDATED:
  case v1::JOB_INTENT_CANCELED:
    return true;
  default:
    return false;
  }
}

bool is_event(value_type type, intent what) {
  switch (type) {
  case value_type::job:
    return is_job_event(what);
  case value_type::incident:
    return what.value == v1::INCIDENT_INTENT_CREATED
           || what.value == v1::INCIDENT_INTENT_RESOLVED;
  case value_type::error:
    return what.value == v1::ERROR_INTENT_CLEARED;
  default:
    return false;
  }
}

} // namespace

job_processor::job_processor(job_options options) : options_(options) {
  GNOMON_CHECK(options_.type_bytes_max <= timers::text_bytes_limit);
  GNOMON_CHECK(options_.worker_bytes_max <= timers::text_bytes_limit);
  GNOMON_CHECK(options_.members_per_clear_max > 0);
}

bool job_processor::accepts(gnomon::value_type type, intent what,
                            record_type kind) const {
  if (kind == record_type::command)
    return command_for(type, what) != nullptr;
  return kind == record_type::event && is_event(type, what);
}

void job_processor::process(const typed_record& command, result_builder& out) {
  auto* decide = command_for(command.value_type, command.intent);
  GNOMON_CHECK(decide != nullptr);
  decide(command, options_, out);
}

void job_processor::replay(const typed_record& event,
                           state_transaction& state) {
  GNOMON_CHECK(is_event(event.value_type, event.intent));
  if (event.value_type == value_type::job)
    apply_job_event(event, state);
  else if (event.value_type == value_type::incident)
    apply_incident_event(event, state);
  // ERROR CLEARED says what follows; it changes nothing by itself.
}

processing_error job_processor::on_processing_error(const error&,
                                                    const typed_record&,
                                                    result_builder&) {
  return processing_error::reject;
}

} // namespace gnomon::jobs
