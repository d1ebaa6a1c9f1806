// Place of a record in the log of one partition.

#pragma once

#include <compare>
#include <cstdint>

namespace gnomon {

/// Place of a record in the log of one partition. The first record has
/// position 1; `position{}` means "no record". Grows by exactly one per record.
struct position {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(position, position) = default;

  explicit constexpr operator bool() const {
    return value != 0;
  }

  /// Returns the position of the record behind this one.
  constexpr position next() const {
    return {value + 1};
  }
};

static_assert(sizeof(position) == 8, "stored in the log as 8 bytes");

} // namespace gnomon
