// Limits and defaults of jobs.

#pragma once

#include <cstddef>
#include <cstdint>

namespace gnomon::jobs {

/// Limits of `job_processor`. A change applies to later commands only: events
/// have their decisions in them.
struct job_options {
  /// At most `timers::text_bytes_limit`.
  std::size_t type_bytes_max = 256;

  /// At most `timers::text_bytes_limit`.
  std::size_t worker_bytes_max = 256;

  std::size_t payload_bytes_max = 256 * 1024;
  std::size_t result_bytes_max = 256 * 1024;

  /// Code of an error that a worker throws.
  std::size_t error_code_bytes_max = 256;

  /// Retries of a job whose creator does not say.
  std::uint32_t retries_default = 3;

  /// Jobs that one ACTIVATE may ask for.
  std::uint32_t jobs_per_activate_max = 1000;

  /// Jobs go to a worker together up to about so much; a larger one goes alone.
  std::size_t push_bytes_max = 1024 * 1024;

  /// Longest time that a worker may claim a job for; 30 days.
  std::int64_t timeout_ms_max = 30ll * 24 * 60 * 60 * 1000;

  /// Longest wait after a failure; 30 days.
  std::int64_t back_off_ms_max = 30ll * 24 * 60 * 60 * 1000;

  // Back-off of a job whose creator and whose worker say nothing: 1 s, doubled
  // up to 5 min, a fifth of it as jitter.
  std::int64_t back_off_initial_ms = 1'000;
  std::uint32_t back_off_factor = 2;
  std::int64_t back_off_cap_ms = 5ll * 60 * 1000;
  std::uint32_t back_off_jitter_percent = 20;

  /// Timers and jobs that one CLEAR of a banned instance drops.
  std::uint32_t members_per_clear_max = 100;
};

} // namespace gnomon::jobs
