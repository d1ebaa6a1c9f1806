// Timers as a customer of the engine.

#pragma once

#include "gnomon/record_processor.hpp"
#include "timers/recurrence_cache.hpp"
#include "timers/timer_options.hpp"

namespace gnomon::timers {

/// Decides the commands CREATE, CANCEL, RESCHEDULE and TRIGGER of timers and
/// applies their events. Each command has a file of its own.
///
/// | command    | first outcome                      | rejections            |
/// | ---------- | ---------------------------------- | --------------------- |
/// | CREATE     | CREATED with a new key             | invalid_argument,     |
/// |            |                                    | already_exists (name) |
/// | CANCEL     | CANCELED                           | not_found             |
/// | RESCHEDULE | RESCHEDULED                        | not_found,            |
/// |            |                                    | invalid_argument      |
/// | TRIGGER    | TRIGGERED, or SKIPPED and perhaps  | not_found (gone),     |
/// |            | TRIGGERED; then JOB CREATED if the | invalid_state         |
/// |            | timer has a target                 | (not due yet)         |
///
/// A value that cannot be parsed is rejected with invalid_argument. TRIGGER has
/// no value; `due_index` names it for each waiting timer. One TRIGGER triggers
/// one occurrence: while more are due, the index goes on naming the timer.
///
/// A waiting timer whose expression can no longer be computed, e.g., since its
/// zone has vanished from the machine, is rejected with processing_failed and
/// goes on waiting.
class timer_processor : public record_processor {
public:
  /// @pre `target_bytes_max` and `name_bytes_max` are within
  ///      `text_bytes_limit`.
  explicit timer_processor(timer_options options = {});

  bool accepts(value_type type, intent what, record_type kind) const override;

  void process(const typed_record& command, result_builder& out) override;

  void replay(const typed_record& event, state_transaction& state) override;

  /// Rejects: neither a client's command nor a trigger bans an instance.
  processing_error on_processing_error(const error& what,
                                       const typed_record& command,
                                       result_builder& out) override;

private:
  timer_options options_;

  /// Only spares parsing again: what it holds never changes a decision.
  recurrence_cache recurrences_;
};

} // namespace gnomon::timers
