// What a state says about itself: up to where it is applied. Kept in the same
// transaction as the state it describes, so the two never disagree.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "storage/ports/frame_log.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace gnomon::storage {

/// Column family of the partition's bookkeeping.
inline constexpr column_family bookkeeping_family{1};

/// Where the state stands. The engine stores it with every batch; replay,
/// snapshots and recovery read it.
struct state_bookkeeping {
  /// Position of the last record applied, i.e., of the last of its frame.
  position last_applied;

  /// Chain value of the frame that ends at `last_applied`.
  chain_value chain;

  /// Position of the last command that has an outcome.
  position last_processed;

  /// Counter of the next key to be drawn.
  std::uint64_t next_key = 1;

  /// Partition time as of `last_applied`.
  timestamp partition_time;

  friend bool operator==(const state_bookkeeping&, const state_bookkeeping&)
    = default;
};

/// The one entry on disk: key `00 01`, value five 8-byte little-endian numbers
/// in the order of the members.
namespace bookkeeping {

inline constexpr bytes_view entry_key{"\x00\x01", 2};
inline constexpr std::size_t entry_bytes = 40;

/// Returns the 40 bytes of `source`.
inline bytes encode(const state_bookkeeping& source) {
  const std::array<std::uint64_t, 5> parts{
    source.last_applied.value, source.chain.value, source.last_processed.value,
    source.next_key, static_cast<std::uint64_t>(source.partition_time.value)};
  bytes to;
  to.reserve(entry_bytes);
  for (auto part : parts)
    for (unsigned i = 0; i < 8; ++i)
      to.push_back(static_cast<char>(part >> (8 * i) & 0xFF));
  return to;
}

/// Reads what `encode` wrote; nothing if `source` is not that.
inline std::optional<state_bookkeeping> decode(bytes_view source) {
  if (source.size() != entry_bytes)
    return std::nullopt;
  std::array<std::uint64_t, 5> parts{};
  for (std::size_t i = 0; i < entry_bytes; ++i)
    parts[i / 8] |= std::uint64_t{static_cast<unsigned char>(source[i])}
                    << (8 * (i % 8));
  return state_bookkeeping{{parts[0]},
                           {parts[1]},
                           {parts[2]},
                           parts[3],
                           {static_cast<std::int64_t>(parts[4])}};
}

/// Stores `source` in the open transaction; kept when that commits.
inline void store(state_transaction& state, const state_bookkeeping& source) {
  state.put(bookkeeping_family, entry_key, encode(source));
}

/// Returns the bookkeeping, or nothing for a state to which nothing was ever
/// applied. `errc::corrupted` if the entry is malformed.
inline result<std::optional<state_bookkeeping>>
load(const state_reader& state) {
  const auto entry = state.get(bookkeeping_family, entry_key);
  if (state.failure())
    return *state.failure();
  if (!entry)
    return std::optional<state_bookkeeping>{};
  auto found = decode(*entry);
  if (!found)
    return {errc::corrupted, "read bookkeeping of the state: expected "
                               + std::to_string(entry_bytes)
                               + " bytes, but found "
                               + std::to_string(entry->size())};
  return found;
}

} // namespace bookkeeping

} // namespace gnomon::storage
