// Writes an archive in tar format, through libarchive.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"

#include "inspection/backup_format.hpp"
#include "inspection/progress.hpp"
#include <memory>
#include <string>
#include <vector>

namespace gnomon::inspection {

/// A new archive under a temporary name. Destroying it before `publish` removes
/// what was written.
class archive_writer {
public:
  /// Begins `name`; writes to `name`.tmp, replacing one that was left behind.
  /// @param files  Borrowed; must outlive this object.
  static result<std::unique_ptr<archive_writer>>
  create(storage::file_system& files, const storage::path& name);

  ~archive_writer();

  /// Adds the first `size` bytes of `source`. `errc::corrupted` if it is
  /// shorter.
  result<storage::file_sum> add(const std::string& name, storage::file& source,
                                std::uint64_t size, progress& watcher);

  /// Adds a small file.
  result<storage::file_sum> add(const std::string& name, bytes_view content);

  /// Adds the manifest, syncs, and gives the archive its name. Durable on
  /// success; after a crash it is there whole or not at all.
  result<void> publish();

  /// Returns what was added so far.
  const std::vector<backup_entry>& entries() const {
    return entries_;
  }

private:
  class output;

  archive_writer(storage::file_system& files, storage::path name);

  result<void> begin_entry(const std::string& name, std::uint64_t size);

  result<void> write(bytes_view content);

  storage::file_system& files_;
  storage::path name_;
  storage::path temporary_;
  std::unique_ptr<output> output_;
  std::vector<backup_entry> entries_;
  bool published_ = false;
};

} // namespace gnomon::inspection
