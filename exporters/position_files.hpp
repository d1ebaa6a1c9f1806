// The acknowledged positions of exporters, a small checked file each.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/ports/log_id.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::exporters {

/// What is kept of an exporter. Plain value.
struct kept_position {
  position acknowledged;

  /// Compaction does not wait for it; records behind may be gone.
  bool is_detached = false;

  friend bool operator==(const kept_position&, const kept_position&) = default;
};

/// Returns whether an exporter may have this name: 1 to 64 of a-z, 0-9, - and
/// _, so that a file can have it, too.
bool is_exporter_name(std::string_view name);

/// Keeps them in the folder `exporters` of a partition's directory.
///
/// Threads: none of its own; calls for the same exporter one after the other,
/// all by somebody for whom the directory is locked.
class position_files {
public:
  /// @param files      Borrowed; must outlive this.
  /// @param partition  Directory of the partition.
  /// @param log        A file about another log counts as damaged.
  position_files(storage::file_system& files, const storage::path& partition,
                 storage::log_id log);

  /// Durable on success; after a crash in the middle the old one or the new one
  /// is there.
  /// @pre `is_exporter_name(name)`.
  result<void> write(const std::string& name, const kept_position& what);

  /// Durable on success; fine if it is not there.
  result<void> remove(const std::string& name);

  /// All that are kept.
  struct found {
    std::map<std::string, kept_position> positions;

    /// Of files that cannot be read; these count as "nothing acknowledged",
    /// which at worst repeats records.
    std::vector<error> damaged;
  };

  result<found> read_all();

private:
  result<kept_position> read(const std::string& name);

  storage::file_system& files_;
  storage::path partition_;
  storage::path directory_;
  storage::log_id log_;
};

} // namespace gnomon::exporters
