// What the tests of jobs have in common.

#pragma once

#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"
#include "jobs/incident_state.hpp"
#include "jobs/job_processor.hpp"
#include "jobs/job_state.hpp"
#include "tests/timers/timer_fixture.hpp"

#include <limits>

namespace gnomon::testing {

/// A partition with timers and jobs.
class job_partition : public timer_partition {
public:
  explicit job_partition(jobs::job_options options = {})
    : timer_partition(std::make_unique<jobs::job_processor>(options)) {
    // nop
  }

  /// Creates a job that is accepted. @returns Its key.
  key create_job(const std::string& type, timestamp now = start,
                 std::uint32_t retries = 0) {
    v1::JobCreated value;
    value.set_type(type);
    value.set_payload("payload of " + type);
    value.set_retries(retries);
    return submit(value_type::job, v1::JOB_INTENT_CREATE, {}, value, now)
      .front()
      .key;
  }

  std::vector<record> activate(const std::string& type,
                               const std::string& worker,
                               std::uint32_t jobs_max, duration timeout,
                               timestamp now = start) {
    v1::ActivateJobs value;
    value.set_type(type);
    value.set_worker(worker);
    value.set_jobs_max(jobs_max);
    value.set_timeout_ms(timeout.count());
    return submit(value_type::job, v1::JOB_INTENT_ACTIVATE, {}, value, now);
  }

  std::vector<record> complete(key about, std::uint32_t activation,
                               timestamp now = start) {
    v1::CompleteJob value;
    value.set_activation(activation);
    return submit(value_type::job, v1::JOB_INTENT_COMPLETE, about, value, now);
  }

  std::vector<record> time_out(key about, timestamp now,
                               const std::string& lost_worker = {}) {
    v1::TimeOutJob value;
    value.set_lost_worker(lost_worker);
    return submit(value_type::job, v1::JOB_INTENT_TIME_OUT, about, value, now);
  }

  std::vector<record> fail(key about, const v1::FailJob& value,
                           timestamp now = start) {
    return submit(value_type::job, v1::JOB_INTENT_FAIL, about, value, now);
  }

  /// Fails a job with an explicit back-off.
  std::vector<record> fail(key about, std::uint32_t activation,
                           duration back_off, timestamp now = start) {
    v1::FailJob value;
    value.set_activation(activation);
    value.set_message("no answer");
    value.set_back_off_ms(back_off.count());
    return fail(about, value, now);
  }

  std::vector<record> throw_error(key about, std::uint32_t activation,
                                  timestamp now = start) {
    v1::ThrowError value;
    value.set_activation(activation);
    value.set_code("out_of_stock");
    value.set_message("none left");
    return submit(value_type::job, v1::JOB_INTENT_THROW_ERROR, about, value,
                  now);
  }

  std::vector<record> recur(key about, timestamp now) {
    return process(value_type::job, v1::JOB_INTENT_RECUR_AFTER_BACKOFF, about,
                   {}, now);
  }

  std::vector<record> update_retries(key about, std::uint32_t retries,
                                     timestamp now = start) {
    v1::UpdateJobRetries value;
    value.set_retries(retries);
    return submit(value_type::job, v1::JOB_INTENT_UPDATE_RETRIES, about, value,
                  now);
  }

  std::vector<record> update_timeout(key about, std::uint32_t activation,
                                     duration timeout, timestamp now = start) {
    v1::UpdateJobTimeout value;
    value.set_activation(activation);
    value.set_timeout_ms(timeout.count());
    return submit(value_type::job, v1::JOB_INTENT_UPDATE_TIMEOUT, about, value,
                  now);
  }

  std::vector<record> cancel_job(key about, timestamp now = start) {
    return process(value_type::job, v1::JOB_INTENT_CANCEL, about, {}, now);
  }

  std::vector<record> resolve(key incident, timestamp now = start) {
    return process(value_type::incident, v1::INCIDENT_INTENT_RESOLVE, incident,
                   {}, now);
  }

  jobs::job_phase phase_of(key about) const {
    return jobs::find_job(view(), about).value().phase;
  }
};

/// Returns the keys of the events (JOB, `verb`) in `outcome`.
inline std::vector<key> keys_of(const std::vector<record>& outcome, int verb) {
  std::vector<key> result;
  for (const auto& each : outcome)
    if (is_event(each, value_type::job, verb))
      result.push_back(each.key);
  return result;
}

using key_list = std::vector<key>;

} // namespace gnomon::testing
