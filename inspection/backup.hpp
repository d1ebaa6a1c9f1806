// Copies partitions into one file while they are running, and back.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"

#include "inspection/partition_folder.hpp"
#include "inspection/progress.hpp"
#include <cstdint>
#include <vector>

namespace gnomon::inspection {

/// What a backup has of one partition. Plain value.
struct partition_backup {
  partition_id id;

  /// The snapshot it begins with; none if the log is there from the beginning.
  position snapshot;

  /// The last position it has; may be ahead of what is durable in the
  /// partition, but is durable in the backup.
  position last;

  /// How many segments.
  std::size_t segments = 0;
};

/// Copies of each partition the newest good snapshot and the segments that
/// replay needs behind it, up to the last whole frame, into the new archive
/// `name`. Takes no lock: files that are open stay readable when a running
/// partition compacts them, and if it comes first, it is tried again.
/// @returns `errc::already_exists` if there is such a file,
///          `errc::not_recoverable` if a partition has neither a good snapshot
///          nor the whole log.
result<std::vector<partition_backup>>
back_up(storage::file_system& files,
        const std::vector<partition_folder>& folders, const storage::path& name,
        progress& watcher);

/// Makes the folder of partitions `directory` from the archive `name`: extracts
/// next to it, verifies all of it as `verify_partition` does, and only then
/// gives it its name. Durable on success; after a failure or a crash,
/// `directory` is as it was. Holds the locks of the partitions until the end.
/// @returns `errc::invalid_state` unless `directory` is empty or missing,
///          `errc::corrupted` for an archive that is no backup or damaged.
result<std::vector<partition_backup>> restore(storage::file_system& files,
                                              const storage::path& name,
                                              const storage::path& directory,
                                              progress& watcher);

} // namespace gnomon::inspection
