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

  /// Retries of a job whose creator does not say.
  std::uint32_t retries_default = 3;

  /// Jobs that one ACTIVATE may ask for.
  std::uint32_t jobs_per_activate_max = 1000;

  /// Longest time that a worker may claim a job for; 30 days.
  std::int64_t timeout_ms_max = 30ll * 24 * 60 * 60 * 1000;
};

} // namespace gnomon::jobs
