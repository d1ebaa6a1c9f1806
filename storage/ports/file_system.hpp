// Port to files and directories: the few calls that a log and its neighbours
// need, so that tests can fail, tear and forget any of them.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::storage {

using path = std::filesystem::path;

/// Port. An open file. Closing (destroying) it does not sync.
///
/// Threads: `sync` may run while the owner reads or writes; everything else is
/// the owner's.
class file {
public:
  virtual ~file() = default;

  /// Reads up to `bytes_max` bytes at `offset`; fewer at the end of the file.
  virtual result<bytes> read(std::uint64_t offset, std::size_t bytes_max) = 0;

  /// Writes all of `content` at `offset`. On `errc::out_of_space`, `written`
  /// tells how many bytes arrived.
  virtual result<void> write(std::uint64_t offset, bytes_view content,
                             std::size_t* written = nullptr)
    = 0;

  /// fdatasync: what was written before the call is durable once it succeeds.
  virtual result<void> sync() = 0;

  /// Reserves space up to `size` bytes; the file reads as zeros there.
  virtual result<void> allocate(std::uint64_t size) = 0;

  virtual result<void> truncate(std::uint64_t size) = 0;

  virtual result<std::uint64_t> size() = 0;

  /// Drops cached pages from `offset` on so that reads see the disk.
  virtual result<void> drop_cache(std::uint64_t offset) = 0;
};

/// An exclusive lock on a file, held while this object lives.
class file_lock {
public:
  virtual ~file_lock() = default;
};

enum class open_mode {
  /// The file must exist.
  existing,
  /// The file must exist; only `read`, `size` and `drop_cache` are allowed.
  read_only,
  /// The file must not exist.
  create_new,
};

/// Identity of a file on its device.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const file_identity&, const file_identity&) = default;
};

/// Port. Directories and names.
///
/// Threads: all members may be called from any thread.
class file_system {
public:
  virtual ~file_system() = default;

  virtual result<std::unique_ptr<file>> open(const path& name, open_mode mode)
    = 0;

  /// Takes the lock of `name`, creating the file if need be. `errc::in_use` if
  /// another holder, in this process or not, has it; the error names the
  /// process, if it is known.
  virtual result<std::unique_ptr<file_lock>> lock(const path& name) = 0;

  virtual result<void> rename(const path& from, const path& to) = 0;

  virtual result<void> remove(const path& name) = 0;

  /// Makes the entries of a directory durable.
  virtual result<void> sync_directory(const path& directory) = 0;

  /// Creates `directory` and its parents; not durable until synced.
  virtual result<void> create_directories(const path& directory) = 0;

  /// Removes `directory` with all it contains; fine if it is not there.
  virtual result<void> remove_all(const path& directory) = 0;

  /// Returns the names in `directory`, sorted.
  virtual result<std::vector<std::string>> list(const path& directory) = 0;

  virtual result<bool> exists(const path& name) = 0;

  virtual result<file_identity> identity(const path& name) = 0;
};

} // namespace gnomon::storage
