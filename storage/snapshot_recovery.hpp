// Opening a state: keep it if it is to be trusted, otherwise delete it unopened
// and begin again from a snapshot or from nothing.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/partition_directory.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/snapshot_manifest.hpp"
#include "storage/stamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::storage {

/// What the log has, after it was opened and its torn tail cut.
struct log_extent {
  /// First position that can be replayed; `last.next()` for an empty log.
  position first{1};
  position last;
};

/// Where the state that is now on disk comes from.
enum class state_origin : std::uint8_t {
  /// It was trusted; the stamp says `clean = false` now, durably.
  kept,
  /// Copied from a snapshot.
  snapshot,
  /// There is none: replay from position 1.
  nothing,
};

struct recovered_state {
  state_origin origin = state_origin::nothing;

  /// Why the state before was not kept; `none` if it was or if the caller asked
  /// for a rebuild.
  distrust_reason reason = distrust_reason::none;

  /// The snapshot it was restored from.
  std::optional<snapshot_manifest> snapshot;

  /// Snapshots that were passed over, and why; somebody should know.
  std::vector<error> passed_over;
};

/// Steps 4 to 6 of opening a partition. If the state is kept, open it and look
/// for (last applied, chain value) in the log; if they are not there, close it
/// and call `rebuild_state`. If it is not kept, open it and call
/// `stamp_opened`. A crash in the middle repeats it with the same result.
/// @returns `errc::not_recoverable` if neither a snapshot nor the whole log is
///          there; the context names what was tried.
result<recovered_state> recover_state(file_system& files,
                                      const partition_directory& directory,
                                      const boot_id& boot,
                                      const log_extent& log);

/// Chooses the newest snapshot that verifies and that the log reaches and
/// continues; then removes the stamp, durably, and the state, and restores it.
/// Changes nothing if there is none, nor for `errc::format_too_new` or
/// `errc::wrong_identity` of a snapshot.
/// @pre The state is not open.
result<recovered_state> rebuild_state(file_system& files,
                                      const partition_directory& directory,
                                      const log_extent& log);

/// Writes the stamp of a state that was opened after a rebuild.
result<void> stamp_opened(file_system& files,
                          const partition_directory& directory,
                          const boot_id& boot);

/// Writes the stamp of a state that was synced and closed.
/// @param durable  Up to where the log is durable.
result<void> stamp_clean(file_system& files,
                         const partition_directory& directory,
                         const boot_id& boot, position durable);

} // namespace gnomon::storage
