// Where the state keeps jobs, and how they look there.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/state.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gnomon::jobs {

/// Key -> fixed header, worker id, `JobCreated` as received.
inline constexpr column_family job_family{30};

/// (Type, key) of jobs that wait for a worker.
inline constexpr column_family available_job_family{31};

/// (Worker id, key) of jobs that a worker has.
inline constexpr column_family activated_job_family{32};

/// Where a job stands. Stored; numbers are never reused.
enum class job_phase : std::uint16_t {
  available = 1,
  activated = 2,
};

/// A job. Borrows from the state until the next write.
struct stored_job {
  job_phase phase = job_phase::available;

  /// Number of the last activation; 0: none yet.
  std::uint32_t activation = 0;

  /// Of the activation; meaningless unless activated.
  timestamp deadline;

  /// Who has it; empty unless activated.
  std::string_view worker;

  /// Serialised `v1::JobCreated`.
  bytes_view created;
};

/// Returns the job `about`, or nothing. See `state.failure()`.
std::optional<stored_job> find_job(const state_reader& state, key about);

/// Takes what `job_family` holds apart. @returns Nothing if it is malformed.
std::optional<stored_job> decode_job(bytes_view source);

/// Writes or replaces the body of a job.
void put_job(state_transaction& state, key about, const stored_job& job);

/// Removes the body of a job.
void erase_job(state_transaction& state, key about);

/// Offers the job to workers of `type`.
void add_available(state_transaction& state, std::string_view type, key about);

void remove_available(state_transaction& state, std::string_view type,
                      key about);

/// Notes that `worker` has the job until `deadline`.
void add_activation(state_transaction& state, key about,
                    std::string_view worker, timestamp deadline);

/// Takes back what `add_activation` noted.
void remove_activation(state_transaction& state, key about,
                       std::string_view worker, timestamp deadline);

/// Returns up to `keys_max` keys that `family`, indexed by text and key, holds
/// for `text` (type or worker), oldest first.
std::vector<key> first_keys(const state_reader& state, column_family family,
                            std::string_view text, std::size_t keys_max);

} // namespace gnomon::jobs
