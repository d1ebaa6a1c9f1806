// The file system of the machine, through POSIX calls.

#pragma once

#include "storage/ports/file_system.hpp"

namespace gnomon::storage {

/// Returns the file system of the machine. Lives as long as the process.
///
/// Descriptors are closed on exec. Interrupted and short writes are completed.
/// A full device or quota is `errc::out_of_space`; a missing file is
/// `errc::not_found`; everything else is `errc::io_error`, with the text of the
/// system in the context. A failed sync is never retried.
///
/// Locks belong to the open file (not to the process) and are also kept in a
/// registry by device and inode: a second lock in this process is refused, by
/// whatever path it comes, and closing other descriptors does not drop it.
file_system& system_files();

/// Returns whether somebody, in this process or another, has locked `name`. It
/// only looks: an owner that comes meanwhile is not kept from locking. False if
/// there is no such file.
result<bool> is_locked(const path& name);

} // namespace gnomon::storage
