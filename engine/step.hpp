// Processing of one command: its records, its changes of the state, its
// effects.

#pragma once

#include "engine/command_queue.hpp"
#include "engine/effect.hpp"
#include "engine/idempotency.hpp"
#include "engine/key_generator.hpp"
#include "engine/outstanding_commands.hpp"
#include "engine/record_batch.hpp"
#include "gnomon/error.hpp"
#include "gnomon/record.hpp"
#include "gnomon/record_processor.hpp"
#include "gnomon/result_builder.hpp"
#include "gnomon/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::engine {

class record_processor_map;

/// What the steps of one attempt at a batch share. Borrows all of it.
struct step_context {
  const record_processor_map& processors;
  state_transaction& state;
  record_batch& batch;
  key_generator& keys;
  outstanding_commands& outstanding;
  std::vector<queued_effect>& effects;
  timestamp now;
};

/// Whether the processor of a command that failed has a say.
enum class ask_processor : bool { no, yes };

/// Takes one command after the other. After the first failure it does nothing
/// any more: the attempt must be undone.
class step : public result_builder {
public:
  explicit step(step_context context) : context_(context) {
    // nop
  }

  /// Logs and decides a command, or repeats the answer to an earlier one.
  void process(const pending_command& next);

  /// Decides a command that is logged.
  void process(const record& follow_up);

  /// Logs a command whose processing failed for the reason `what`, and rejects
  /// it. Whatever its processor appends stands behind the rejection.
  /// @returns What its processor chose. Nothing is usable after `retry`.
  processing_error give_up(const pending_command& next, const error& what,
                           ask_processor ask);

  /// As above, for a command that is logged.
  processing_error give_up(const record& follow_up, const error& what,
                           ask_processor ask);

  /// Returns why the attempt must be undone, if so.
  const std::optional<error>& failure() const {
    return failure_;
  }

  /// Returns the position of the last command that has an outcome, or none.
  position last_processed() const {
    return command_.position;
  }

  const state_reader& state() const override {
    return context_.state;
  }

  key next_key() override;

  void append_event(key about, value_type type, intent what, bytes_view value,
                    key scope = {}) override;

  void append_command(key about, value_type type, intent what, bytes_view value,
                      key scope = {}) override;

  void reject(rejection_type type, std::string reason) override;

  void deliver(std::string_view channel, key about, bytes content) override;

private:
  enum class admission { fresh, repeated, conflicting };
  enum class is_answer : bool { no, yes };

  admission admit(const pending_command& next);

  void begin_follow_up(const record& follow_up);

  admission repeat(const idempotency::stored_answer& found);

  void decide();

  void run(record_processor& processor);

  void finish();

  processing_error resolve(const error& what, ask_processor ask);

  processing_error consult(record_processor& processor, const error& what);

  void fill_rejection(const error& what);

  void ban(const error& what);

  void append_outcome(typed_record& outcome);

  void apply(const typed_record& outcome, is_answer answer);

  typed_record make(record_type kind, key about, value_type type, intent what,
                    bytes_view value, key scope) const;

  typed_record make_rejection(rejection_type type,
                              std::string_view reason) const;

  void fail(errc code, std::string context);

  step_context context_;
  std::optional<error> failure_;

  // Of the current command.
  typed_record command_;
  command_origin origin_ = command_origin::proposal;
  std::uint64_t request_ = 0;
  std::string_view answer_key_;
  bool has_outcome_ = false;
  bool has_follow_up_ = false;

  // A rejection stands first; what the processor says about it comes later.
  bool gives_up_ = false;
  std::optional<rejection_type> chosen_type_;
  std::string chosen_reason_;
};

} // namespace gnomon::engine
