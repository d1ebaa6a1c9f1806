// Jobs: work that waits for a worker, as a customer of the engine.

#pragma once

#include "gnomon/record_processor.hpp"
#include "jobs/job_options.hpp"

#include <string_view>

namespace gnomon::jobs {

/// Channel of `result_builder::deliver` that jobs are handed to workers by. The
/// content is a serialised `v1::JobPush`. A push lost in a crash is made up for
/// by the time-out of its activation.
inline constexpr std::string_view job_channel = "job";

/// Decides the commands of jobs and incidents and applies their events. Each
/// command has a file of its own.
///
/// | command        | outcome                          | rejections           |
/// | -------------- | -------------------------------- | -------------------- |
/// | CREATE         | CREATED with a new key           | invalid_argument     |
/// | ACTIVATE       | one ACTIVATED and one push for   | not_found (no job),  |
/// |                | each job, oldest first           | invalid_argument     |
/// | COMPLETE       | COMPLETED; the job is gone       | stale                |
/// | FAIL           | FAILED; offered again after its  | stale,               |
/// |                | back-off, or INCIDENT CREATED    | invalid_argument     |
/// | THROW_ERROR    | ERROR_THROWN, INCIDENT CREATED   | stale,               |
/// |                |                                  | invalid_argument     |
/// | TIME_OUT       | TIMED_OUT; offered again. Costs  | invalid_state        |
/// |                | no retry                         |                      |
/// | RECUR_AFTER_   | RECURRED_AFTER_BACKOFF; offered  | invalid_state        |
/// | BACKOFF        | again                            |                      |
/// | UPDATE_RETRIES | RETRIES_UPDATED                  | invalid_argument     |
/// | UPDATE_TIMEOUT | TIMEOUT_UPDATED; the worker has  | stale,               |
/// |                | it longer, or shorter            | invalid_argument     |
/// | CANCEL         | CANCELED, and INCIDENT RESOLVED  |                      |
/// |                | if it had one; the job is gone   |                      |
/// | INCIDENT       | RESOLVED; its job, if any, is    | invalid_state if the |
/// | RESOLVE        | offered again                    | job has no retries   |
/// | ERROR CLEAR    | INCIDENT CREATED, CLEARED, and   | invalid_state if the |
/// |                | CANCEL for each timer and job of | instance is not      |
/// |                | the banned instance              | banned               |
///
/// All but CREATE and ACTIVATE are rejected with not_found if what they are
/// about is not there. *Stale*: invalid_state, since no worker has the job, or
/// another activation has it. A value that cannot be parsed is rejected with
/// invalid_argument. A job is always offered at its old place, by age.
///
/// `due_index` names TIME_OUT for each activated job, at its deadline, and
/// RECUR_AFTER_BACKOFF for each one that backs off; both are due at their date,
/// not behind it. A TIME_OUT that names the lost worker does not wait for that.
class job_processor : public record_processor {
public:
  /// @pre `type_bytes_max` and `worker_bytes_max` are within
  ///      `timers::text_bytes_limit`.
  explicit job_processor(job_options options = {});

  bool accepts(value_type type, intent what, record_type kind) const override;

  void process(const typed_record& command, result_builder& out) override;

  void replay(const typed_record& event, state_transaction& state) override;

  /// Rejects: neither a client's command nor a time-out bans an instance.
  processing_error on_processing_error(const error& what,
                                       const typed_record& command,
                                       result_builder& out) override;

private:
  job_options options_;
};

} // namespace gnomon::jobs
