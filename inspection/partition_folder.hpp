// Partitions as they lie on disk, looked at without owning them.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/result.hpp"
#include "storage/identity.hpp"
#include "storage/ports/file_system.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace gnomon::inspection {

/// Where one partition is. Plain value; nothing is open.
struct partition_folder {
  /// As its name says; its IDENTITY has not been read.
  partition_id id;

  /// The partition's own folder.
  storage::path location;

  /// Returns the folder of all partitions.
  storage::path root() const {
    return location.parent_path();
  }

  storage::path log_directory() const {
    return location / "log";
  }

  storage::path state_directory() const {
    return location / "state";
  }

  storage::path snapshots_directory() const {
    return location / "snapshots";
  }

  storage::path stamp_file() const {
    return location / "stamp";
  }

  storage::path lock_file() const {
    return location / "LOCK";
  }
};

/// Returns the number in the name of a partition's own folder, e.g.,
/// "partition-00001"; nothing if it is not such a name.
std::optional<partition_id> parse_directory_name(std::string_view name);

/// Finds the partitions of `directory`, ascending: the folder of all, or a
/// partition's own.
/// @param only  The one that is wanted, if not all.
/// @returns `errc::not_found` if there is none.
result<std::vector<partition_folder>>
find_partitions(storage::file_system& files, const storage::path& directory,
                std::optional<partition_id> only);

/// Reads FORMAT and IDENTITY, and checks that the folder is the one it says.
/// The errors are those of opening a partition.
result<storage::partition_identity> identify(storage::file_system& files,
                                             const partition_folder& folder);

} // namespace gnomon::inspection
