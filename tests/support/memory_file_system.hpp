// A file system in memory that remembers what a power cut would leave.

#pragma once

#include "storage/ports/file_system.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gnomon::test {

/// What is still there after a power cut, beside what was synced.
struct survivors {
  enum class unsynced {
    /// Nothing.
    none,
    /// Everything.
    all,
    /// Each 512-byte sector and each directory entry with probability 1/2.
    some,
    /// The first changes, as many as `seed` says, and none behind.
    first,
  };

  unsynced kept = unsynced::none;

  /// Chooses for `some`, counts for `first`.
  std::uint64_t seed = 0;
};

/// Returns the survivals that crash tests loop over: none, all, and eight
/// seeded subsets.
std::vector<survivors> all_survivors();

class memory_disk;

/// Fake. Files and directories in memory, with two sides to each: what
/// processes see, and what is on the disk. Creating, renaming and removing is
/// on the disk once the directory is synced; a file whose entry is not there is
/// gone with its content. The root is "/".
///
/// Threads: all members of the port may be called from any thread.
class memory_file_system : public storage::file_system {
public:
  memory_file_system();

  ~memory_file_system() override;

  // -- port -------------------------------------------------------------------

  result<std::unique_ptr<storage::file>> open(const storage::path& name,
                                              storage::open_mode mode) override;

  result<std::unique_ptr<storage::file_lock>>
  lock(const storage::path& name) override;

  result<void> rename(const storage::path& from,
                      const storage::path& to) override;

  result<void> remove(const storage::path& name) override;

  result<void> sync_directory(const storage::path& directory) override;

  result<void> create_directories(const storage::path& directory) override;

  result<void> remove_all(const storage::path& directory) override;

  result<std::vector<std::string>>
  list(const storage::path& directory) override;

  result<bool> exists(const storage::path& name) override;

  result<storage::file_identity> identity(const storage::path& name) override;

  // -- faults -----------------------------------------------------------------

  /// Cuts the power and starts again: what did not survive is gone, open files
  /// and locks are dead, and all that is seen is on the disk.
  void cut_power(const survivors& what);

  /// Returns how many changes are not on the disk yet.
  std::size_t unsynced_changes() const;

  /// Makes open files and locks dead, as when the process is killed; the cache
  /// lives on.
  void kill_process();

  /// Limits the bytes of all files together; growing beyond is
  /// `errc::out_of_space`, after as much as fits was written.
  void limit_bytes(std::uint64_t bytes_max);

  /// Returns the bytes of all files together.
  std::uint64_t used_bytes() const;

  /// Loses what the next sync of a file would have written: the disk keeps what
  /// it has, reads show the cache until it is dropped.
  /// @param opened  One that `open` has returned.
  void lose_unsynced(storage::file& opened);

  // -- queries for tests
  // --------------------------------------------------------

  /// Returns the content of a file, as seen; empty if there is none.
  bytes content(const storage::path& name) const;

  /// Replaces the content of a file, on the disk too, as a fault of the medium
  /// would. Creates the file, but not its directory, if need be.
  void overwrite(const storage::path& name, bytes_view content);

  /// Returns a copy of all files, as seen and all on the disk.
  std::unique_ptr<memory_file_system> clone() const;

  /// Returns breaches of the sync order so far: renaming a file that has
  /// unsynced content, and writing into a file whose entry is not on the disk
  /// unless it, or a directory above it, is named *.tmp.
  std::vector<std::string> violations() const;

private:
  std::shared_ptr<memory_disk> disk_;
};

} // namespace gnomon::test
