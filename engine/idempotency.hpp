// Recognises repeated commands by the key their client chose.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result.hpp"
#include "gnomon/state.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gnomon::engine::idempotency {

/// Answers: idempotency key to what `stored_answer` holds.
inline constexpr column_family answers{11};

/// Idempotency keys by the position of their command, for the expiry.
inline constexpr column_family keys{12};

/// The window in force, as the last PARTITION OPENED named it.
inline constexpr column_family settings{13};

/// What is remembered of a command. Borrows from the transaction: lives until
/// its next write.
struct stored_answer {
  /// Hash of the command, to tell a repeat from another use of the key.
  std::uint64_t content = 0;

  /// When it is forgotten.
  timestamp due;

  /// The first record of the outcome.
  typed_record outcome;
};

/// Returns a hash over what makes `command` the same request. Stored.
std::uint64_t content_hash(const typed_record& command);

/// Returns what is remembered under `idempotency_key`. `errc::corrupted` if the
/// entry cannot be read.
result<std::optional<stored_answer>> find(const state_reader& state,
                                          std::string_view idempotency_key);

/// Remembers `outcome` as the answer to `command`, and adds the due date of the
/// expiry. Live processing and replay both call it, for every first outcome
/// record that carries an idempotency key.
void store(state_transaction& state, const typed_record& command,
           const typed_record& outcome);

/// Forgets the command at `source`. @returns Whether there was one.
bool forget(state_transaction& state, position source);

/// Returns when the command at `source` is forgotten, if it is remembered.
std::optional<timestamp> due_date(const state_reader& state, position source);

/// Sets how long the answers stored from now on are remembered; a day if it was
/// never set.
void set_window(state_transaction& state, duration window);

} // namespace gnomon::engine::idempotency
