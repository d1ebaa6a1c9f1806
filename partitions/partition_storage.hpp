// Everything a partition has on disk, opened together.

#pragma once

#include "gnomon/partition_options.hpp"
#include "gnomon/result.hpp"
#include "storage/log.hpp"
#include "storage/partition_directory.hpp"
#include "storage/ports/bookkeeping.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/snapshot_recovery.hpp"
#include "storage/snapshot_store.hpp"
#include "storage/stamp.hpp"
#include "storage/state_store.hpp"

#include <memory>
#include <optional>
#include <string>

namespace gnomon::partitions {

/// Owns the directory, the log, the state and the snapshots of one partition.
///
/// Opening does steps 1 to 6 of the recovery: lock, identity, log with its torn
/// tail cut, and a state that is trusted or rebuilt from a snapshot or from
/// nothing. Replaying the log behind the state is the caller's.
///
/// Threads: opened on one thread and handed over whole; then one owner, but
/// what the parts themselves allow.
class partition_storage {
public:
  /// @param files  Borrowed; must outlive this object. Real files: LMDB reads
  ///               and writes them, too.
  static result<std::unique_ptr<partition_storage>>
  open(storage::file_system& files, const partition_options& options);

  storage::log& log() {
    return *log_;
  }

  storage::state_store& state() {
    return *state_;
  }

  storage::snapshot_store& snapshots() {
    return snapshots_;
  }

  storage::file_system& files() {
    return files_;
  }

  const storage::partition_directory& directory() const {
    return directory_;
  }

  /// Returns what the state says about itself; changes as it is replayed.
  result<storage::state_bookkeeping> bookkeeping();

  /// Returns what was cut, rebuilt or passed over, for an operator; empty if
  /// nothing was.
  const std::string& report() const {
    return report_;
  }

  /// Syncs log and state, closes both, and stamps the directory as clean.
  /// Nothing but destroying it is allowed afterwards.
  result<void> close();

  /// Makes sure that the state is not used again, but rebuilt.
  result<void> distrust();

private:
  partition_storage(storage::file_system& files,
                    storage::partition_directory directory,
                    const partition_options& options);

  result<void> open_log();

  result<void> open_state();

  result<void> open_kept_state();

  result<void> open_rebuilt_state(const storage::recovered_state& from);

  result<bool> log_has(const storage::state_bookkeeping& book);

  std::optional<position> trusted_position();

  storage::log_extent extent() const;

  void tell(const std::string& line);

  storage::file_system& files_;
  storage::partition_directory directory_;
  partition_options options_;
  storage::snapshot_store snapshots_;
  storage::boot_id boot_;
  std::unique_ptr<storage::log> log_;
  std::unique_ptr<storage::state_store> state_;
  std::string report_;
};

} // namespace gnomon::partitions
