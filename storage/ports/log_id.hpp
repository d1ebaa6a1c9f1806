// Identity of a log: tells a log, its state and its snapshots from those of
// any other log that was ever in the same place.

#pragma once

#include <compare>
#include <cstdint>

namespace gnomon::storage {

/// Random number drawn once, when a partition's directory is created. Frames,
/// segments, stamps and snapshots carry it, so that a file from elsewhere is
/// recognised. Zero means "none".
struct log_id {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(log_id, log_id) = default;

  explicit constexpr operator bool() const {
    return value != 0;
  }
};

} // namespace gnomon::storage
