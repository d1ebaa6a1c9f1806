// Directory of one partition: its lock, its identity and where things are.

#pragma once

#include "gnomon/result.hpp"
#include "storage/identity.hpp"
#include "storage/ports/file_system.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace gnomon::storage {

/// Whose directory is expected.
struct partition_directory_options {
  partition_id partition;
  std::uint16_t partition_count = 1;

  /// Source of the log id of a new partition; the operating system by default.
  std::function<result<log_id>()> draw_log_id = storage::draw_log_id;
};

/// Returns the name of the partition's directory, e.g., "partition-00001".
std::string directory_name(partition_id partition);

/// Looks whether the file FORMAT in `root`, the folder of all partitions, is
/// one that we know. Needs no lock. `errc::not_found` if there is none,
/// `errc::corrupted` or `errc::format_too_new` otherwise.
result<void> check_directory_format(file_system& files, const path& root);

/// An opened directory of a partition, locked while this object lives.
///
/// Threads: none of its own; immutable after `open`.
class partition_directory {
public:
  /// Opens `root`/partition-xxxxx, or creates it. Takes the lock before
  /// anything of the partition is read; removes `*.tmp` once the identity is
  /// known to be right. A crash anywhere in between is completed by the next
  /// call; on success all of it is durable. The parent of `root` should exist;
  /// ancestors further up are created, but not made durable.
  /// @param files  Borrowed; must outlive the directory.
  /// @returns `errc::in_use` if somebody has it, `errc::wrong_identity` for
  ///          another partition or partition count, `errc::format_too_new` or
  ///          `errc::corrupted` with nothing touched.
  static result<partition_directory> open(file_system& files, const path& root,
                                          partition_directory_options options);

  const partition_identity& identity() const {
    return identity_;
  }

  /// Returns the partition's own directory.
  const path& location() const {
    return location_;
  }

  /// Returns where the segments are.
  path log_directory() const {
    return location_ / "log";
  }

  /// Returns where LMDB keeps the state; it may be missing.
  path state_directory() const {
    return location_ / "state";
  }

  path snapshots_directory() const {
    return location_ / "snapshots";
  }

  /// Returns where what is cut off the log is kept.
  path torn_directory() const {
    return location_ / "torn";
  }

  path stamp_file() const {
    return location_ / "stamp";
  }

private:
  partition_directory(path location, partition_identity identity,
                      std::unique_ptr<file_lock> lock);

  path location_;
  partition_identity identity_;
  std::unique_ptr<file_lock> lock_;
};

} // namespace gnomon::storage
