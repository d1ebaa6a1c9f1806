// What a snapshot says about itself.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/state.hpp"
#include "storage/ports/bookkeeping.hpp"
#include "storage/ports/log_id.hpp"

#include <cstdint>
#include <vector>

namespace gnomon::storage {

/// Number of entries of a column family.
struct family_count {
  column_family family;
  std::uint64_t count = 0;

  friend bool operator==(const family_count&, const family_count&) = default;
};

/// Content of the file `manifest` of a snapshot. Plain value.
struct snapshot_manifest {
  log_id log;

  /// Where the copied state stands.
  state_bookkeeping bookkeeping;

  /// Size and XXH3-64 of the copied `data.mdb`.
  std::uint64_t file_bytes = 0;
  std::uint64_t file_hash = 0;

  /// Column families that are not empty, ascending.
  std::vector<family_count> counts;

  /// Returns the position that names the snapshot.
  gnomon::position position() const {
    return bookkeeping.last_applied;
  }

  friend bool operator==(const snapshot_manifest&, const snapshot_manifest&)
    = default;
};

/// Returns the body of the file (`docs/formats/state.md`).
bytes encode(const snapshot_manifest& source);

/// Reads what `encode` wrote. `errc::corrupted` if `source` is not that.
result<snapshot_manifest> decode_manifest(bytes_view source);

} // namespace gnomon::storage
