// What decides commands and applies events. Timers and jobs implement it, and
// so do users.

#pragma once

#include "gnomon/error.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result_builder.hpp"
#include "gnomon/state.hpp"

namespace gnomon {

/// What the engine does about a command whose processing failed.
enum class processing_error {
  /// Undo everything of the command and reject it with the reason.
  reject,
  /// The failure is expected to pass: undo, back off, try again (bounded).
  retry,
  /// As `reject`, and ban the instance (`scope_key`) from further commands.
  /// Only as `reject` for a command of a client, or without a scope.
  ban_instance,
};

/// Decides commands and applies events of the kinds it accepts.
///
/// Deterministic: looks at the record and the state only; no clock (a record
/// carries its timestamp), no randomness, no hash order, no floating point.
///
/// Threads: called by one partition at a time. Never shared by two.
class record_processor {
public:
  virtual ~record_processor() = default;

  /// Says whether this processor is responsible for records of this kind: for
  /// a command, that it decides it; for an event, that it applies it. Asked
  /// once at start, about intents 1 to 63 of the library's value types and of
  /// the first thousand of the users'.
  virtual bool accepts(value_type type, intent what,
                       record_type kind) const = 0;

  /// Decides `command`: reads state, appends records and effects. May throw;
  /// everything is undone then.
  virtual void process(const typed_record& command, result_builder& out) = 0;

  /// Applies `event`: the only place that changes state. Must not fail, and
  /// must do the same today, at replay, and in later versions.
  virtual void replay(const typed_record& event, state_transaction& state) = 0;

  /// Chooses what to do about a command whose `process` failed. May append
  /// records to `out`, whose earlier content is gone: they stand behind the
  /// rejection, for which `out.reject` chooses other words.
  virtual processing_error on_processing_error(const error& what,
                                               const typed_record& command,
                                               result_builder& out)
    = 0;
};

} // namespace gnomon
