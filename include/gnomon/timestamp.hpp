// Instants of the wall clock. Arithmetic saturates; it never wraps around.

#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>

namespace gnomon {

/// Length of time. Durable decisions use whole milliseconds.
using duration = std::chrono::milliseconds;

/// Instant: milliseconds since 1970-01-01T00:00:00Z, may be negative.
struct timestamp {
  std::int64_t value = 0;

  friend constexpr auto operator<=>(timestamp, timestamp) = default;

  static constexpr timestamp max() {
    return {std::numeric_limits<std::int64_t>::max()};
  }

  static constexpr timestamp min() {
    return {std::numeric_limits<std::int64_t>::min()};
  }
};

/// Returns `a + b`, or the nearest bound of the type.
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum))
    return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

/// Returns `a - b`, or the nearest bound of the type.
constexpr std::int64_t saturating_sub(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference))
    return difference;
  return b < 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

/// Returns the instant `by` after `from`; saturates.
constexpr timestamp operator+(timestamp from, duration by) {
  return {saturating_add(from.value, by.count())};
}

/// Returns the time from `earlier` to `later`; saturates.
constexpr duration operator-(timestamp later, timestamp earlier) {
  return duration{saturating_sub(later.value, earlier.value)};
}

} // namespace gnomon
