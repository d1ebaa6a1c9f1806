// Snapshots of one partition: made, kept, verified and restored.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/snapshot_manifest.hpp"
#include "storage/state_store.hpp"

#include <string>
#include <vector>

namespace gnomon::storage {

/// What `snapshot_store::retire` did.
struct snapshot_retirement {
  /// Whole segments whose records all lie below this position may go; none
  /// unless two snapshots are good. The frame that ends here must stay, and so
  /// must commands that were not processed yet when a snapshot was taken.
  position compact_below;

  /// Snapshots kept, ascending.
  std::vector<position> kept;

  /// Why snapshots were not good; they are removed, and somebody should know.
  std::vector<error> damaged;
};

/// Directory of snapshots, each in a directory named by its position.
///
/// A snapshot is made in steps, so that a detached actor can do the slow ones:
/// `copy`, then wait until the log is durable up to the position it returned,
/// then `publish`, then `retire`. A crash in any step leaves the snapshots that
/// were there, and perhaps a `*.tmp`, which the next `copy` replaces.
///
/// Threads: none of its own; one caller at a time, any thread.
class snapshot_store {
public:
  /// How many good snapshots are kept.
  static constexpr std::size_t kept_count = 2;

  /// @param files      Borrowed; must outlive the store. Real files, since LMDB
  ///                   reads and writes them as well.
  /// @param directory  Must exist.
  snapshot_store(file_system& files, path directory, log_id log);

  /// Syncs `state`, copies it aside, walks and counts the copy, makes it
  /// durable, and reads it again to verify. Not a snapshot until published.
  /// @returns What was copied; `errc::invalid_state` if nothing was ever
  ///          applied. Any error but that one poisons `state` or leaves it as
  ///          it was; try again later.
  result<snapshot_manifest> copy(state_store& state);

  /// Gives the copy at `at` its name; durable on success. If a snapshot of that
  /// position is there already, a good one is kept and a bad one replaced.
  /// @param durable  Up to where the log is durable; `errc::invalid_state` if
  ///                 that is below `at`.
  result<void> publish(position at, position durable);

  /// Verifies from the newest on, keeps the newest two that are good, removes
  /// all others. Reads the kept ones whole.
  result<snapshot_retirement> retire();

  /// Returns the positions of all snapshots, good or not, ascending.
  result<std::vector<position>> list();

  /// Reads the manifest at `at`, but not the copied state.
  result<snapshot_manifest> manifest(position at);

  /// Reads the snapshot at `at` whole. `errc::corrupted` for any damage,
  /// `errc::wrong_identity` if it is of another log.
  result<snapshot_manifest> verify(position at);

  /// Returns the highest position that a readable manifest names: the log was
  /// durable up to there.
  result<position> durable_position();

  /// Copies the snapshot at `at` to `state_directory`, which must not exist or
  /// be empty; durable on success, nothing to be trusted before.
  result<snapshot_manifest> restore(position at, const path& state_directory);

  /// Returns where the snapshot at `at` is.
  path location(position at) const;

private:
  result<void> drop_copy();

  result<snapshot_manifest> describe(const path& where);

  result<snapshot_manifest> verify_in(const path& where);

  result<void> remove_snapshot(position at);

  file_system* files_;
  path directory_;
  log_id log_;
};

} // namespace gnomon::storage
