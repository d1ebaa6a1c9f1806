// What a state says about itself: up to where it is applied. Kept in the same
// transaction as the state it describes, so the two never disagree.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "storage/ports/frame_log.hpp"
#include "storage/ports/little_endian.hpp"

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
  bytes to;
  append_little_endian(to, source.last_applied.value);
  append_little_endian(to, source.chain.value);
  append_little_endian(to, source.last_processed.value);
  append_little_endian(to, source.next_key);
  append_little_endian(to,
                       static_cast<std::uint64_t>(source.partition_time.value));
  return to;
}

/// Reads what `encode` wrote; nothing if `source` is not that.
inline std::optional<state_bookkeeping> decode(bytes_view source) {
  little_endian_reader from{source};
  state_bookkeeping found;
  found.last_applied.value = from.read<std::uint64_t>();
  found.chain.value = from.read<std::uint64_t>();
  found.last_processed.value = from.read<std::uint64_t>();
  found.next_key = from.read<std::uint64_t>();
  found.partition_time.value
    = static_cast<std::int64_t>(from.read<std::uint64_t>());
  if (!from.complete())
    return std::nullopt;
  return found;
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
