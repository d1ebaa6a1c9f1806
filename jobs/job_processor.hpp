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

/// Decides the commands CREATE, ACTIVATE, COMPLETE and TIME_OUT of jobs and
/// applies their events. Each command has a file of its own.
///
/// | command  | outcome                              | rejections            |
/// | -------- | ------------------------------------ | --------------------- |
/// | CREATE   | CREATED with a new key               | invalid_argument      |
/// | ACTIVATE | one ACTIVATED and one push for each  | not_found (no job),   |
/// |          | job, oldest first                    | invalid_argument      |
/// | COMPLETE | COMPLETED; the job is gone           | not_found,            |
/// |          |                                      | invalid_state (stale) |
/// | TIME_OUT | TIMED_OUT; the job is offered again, | not_found,            |
/// |          | at its old place                     | invalid_state         |
///
/// A value that cannot be parsed is rejected with invalid_argument. `due_index`
/// names TIME_OUT for each activated job, at its deadline; a TIME_OUT that
/// names the lost worker does not wait for that.
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
