// Where the state keeps jobs, and how they look there.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/state.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gnomon::jobs {

/// Key -> fixed header, type, worker id, `JobCreated` as received.
inline constexpr column_family job_family{30};

/// (Type, key) of jobs that wait for a worker.
inline constexpr column_family available_job_family{31};

/// (Worker id, key) of jobs that a worker has.
inline constexpr column_family activated_job_family{32};

/// Where a job stands. Stored; numbers are never reused.
enum class job_phase : std::uint16_t {
  /// Waits for a worker.
  available = 1,
  /// A worker has it until its deadline.
  activated = 2,
  /// Has failed and is offered again once its back-off is over.
  backing_off = 3,
  /// Waits for its incident to be resolved.
  failed = 4,
};

/// A job. Borrows from the state until the next write.
struct stored_job {
  job_phase phase = job_phase::available;

  /// Number of the last activation; 0: none yet.
  std::uint32_t activation = 0;

  /// How often it may still fail.
  std::uint32_t retries = 0;

  /// How often it has failed since it was created or its retries were updated.
  std::uint32_t failures = 0;

  /// The instance it belongs to, if any.
  key scope;

  /// When the phase ends by itself: deadline of the activation, end of the
  /// back-off; otherwise meaningless.
  timestamp due;

  std::string_view type;

  /// Who has it; empty unless activated.
  std::string_view worker;

  /// Serialised `v1::JobCreated`.
  bytes_view created;
};

/// Returns `count + 1`; stays at the greatest number.
constexpr std::uint32_t one_more(std::uint32_t count) {
  return count + 1 == 0 ? count : count + 1;
}

/// Returns the job `about`, or nothing. See `state.failure()`.
std::optional<stored_job> find_job(const state_reader& state, key about);

/// Takes what `job_family` holds apart. @returns Nothing if it is malformed.
std::optional<stored_job> decode_job(bytes_view source);

/// Puts a new job in: its body and its entries in the indexes.
void insert_job(state_transaction& state, key about, const stored_job& job);

/// Replaces a job. Each of both may borrow from the state.
/// @param before  As `find_job` found it.
void replace_job(state_transaction& state, key about, const stored_job& before,
                 const stored_job& after);

/// Removes a job and its entries in the indexes.
/// @param job  As `find_job` found it.
void erase_job(state_transaction& state, key about, const stored_job& job);

/// Returns up to `keys_max` keys that `family`, indexed by text and key, holds
/// for `text` (type or worker), oldest first.
std::vector<key> first_keys(const state_reader& state, column_family family,
                            std::string_view text, std::size_t keys_max);

} // namespace gnomon::jobs
