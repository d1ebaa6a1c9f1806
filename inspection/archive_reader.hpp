// Takes an archive apart that may come from anywhere.

#pragma once

#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"

#include "inspection/backup_format.hpp"
#include "inspection/progress.hpp"
#include <vector>

namespace gnomon::inspection {

/// Writes the files of the archive `name` below `target`, which must exist and
/// be empty, and syncs them.
///
/// Believes nothing: plain files with the names of `is_backup_name` only, each
/// once, no links, no holes, none larger than the archive, the manifest last,
/// and each with the size and the checksum that the manifest says, as read back
/// from the disk. `errc::corrupted` otherwise; what was written is then left to
/// be removed.
/// @returns What the manifest lists.
result<std::vector<backup_entry>> extract(storage::file_system& files,
                                          const storage::path& name,
                                          const storage::path& target,
                                          progress& watcher);

} // namespace gnomon::inspection
