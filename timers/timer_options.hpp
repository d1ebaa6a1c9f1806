// Limits and defaults of timers.

#pragma once

#include "timers/catch_up.hpp"

#include <cstddef>
#include <cstdint>

namespace gnomon::timers {

/// Length that no limit of a name, target, job type or worker id may exceed:
/// with its terminator and a key it still fits into a key of the state (511
/// bytes). Zero bytes, which would be escaped there, are refused.
inline constexpr std::size_t text_bytes_limit = 500;

/// Limits of `timer_processor`. A change applies to later commands only:
/// events have their decisions in them.
struct timer_options {
  /// At most `text_bytes_limit`.
  std::size_t target_bytes_max = 256;

  /// At most `text_bytes_limit`.
  std::size_t name_bytes_max = 256;

  std::size_t payload_bytes_max = 256 * 1024;

  /// Of the expression and the zone together.
  std::size_t expression_bytes_max = 1024;

  /// Retries of a job whose timer does not say.
  std::uint32_t retries_default = 3;

  /// What happens to missed occurrences.
  catch_up_options catch_up;

  /// Parsed expressions kept in memory.
  std::size_t recurrences_cached_max = 1024;
};

} // namespace gnomon::timers
