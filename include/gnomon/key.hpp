// Identity of the thing a record is about.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace gnomon {

/// Number of a partition, 1 to 8191. Zero is reserved and means "none".
struct partition_id {
  std::uint16_t value = 0;

  static constexpr std::uint16_t max = 8191;

  friend constexpr auto operator<=>(partition_id, partition_id) = default;

  constexpr bool valid() const {
    return value >= 1 && value <= max;
  }
};

/// Identity of the thing a record is about, unique in its partition for ever:
/// partition id in the upper 13 bits, a counter in the lower 51. `key{}` means
/// "none".
struct key {
  std::uint64_t value = 0;

  static constexpr unsigned counter_bits = 51;
  static constexpr std::uint64_t counter_max
    = (std::uint64_t{1} << counter_bits) - 1;

  friend constexpr auto operator<=>(key, key) = default;

  explicit constexpr operator bool() const {
    return value != 0;
  }

  static constexpr key make(partition_id owner, std::uint64_t counter) {
    return {std::uint64_t{owner.value} << counter_bits
            | (counter & counter_max)};
  }

  constexpr partition_id owner() const {
    return {static_cast<std::uint16_t>(value >> counter_bits)};
  }

  constexpr std::uint64_t counter() const {
    return value & counter_max;
  }
};

static_assert(sizeof(key) == 8, "stored in the log and in state as 8 bytes");

} // namespace gnomon
