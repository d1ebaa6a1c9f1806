// The two sides of a disk in memory: what is seen and what would be left.

#pragma once

#include "gnomon/bytes.hpp"
#include "tests/support/memory_file_system.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace gnomon::test {

/// A change of a file's content that is not on the disk yet.
struct content_change {
  /// A change of the size if there are no bytes.
  std::uint64_t offset = 0;
  bytes written;

  /// Changes are counted over the whole disk.
  std::uint64_t number = 0;
};

/// A file or a directory.
struct memory_node {
  bool is_directory = false;
  std::uint64_t inode = 0;

  // Of a file.
  bytes seen;
  bytes on_disk;
  std::vector<content_change> unsynced;

  // Of a directory.
  std::map<std::string, std::shared_ptr<memory_node>> entries;
  std::map<std::string, std::shared_ptr<memory_node>> entries_on_disk;
};

using node_ptr = std::shared_ptr<memory_node>;

/// A change of one or two directory entries that is not on the disk yet; it
/// gets there whole.
struct entry_change {
  struct entry {
    node_ptr directory;
    std::string name;
    /// Null: the entry is removed.
    node_ptr target;
  };

  std::vector<entry> entries;
  std::uint64_t number = 0;
};

/// All nodes, behind one lock. Members expect the caller to hold `mutex`.
class memory_disk {
public:
  memory_disk();

  std::mutex mutex;
  node_ptr root;
  std::vector<entry_change> unsynced_entries;
  std::set<std::uint64_t> locked;
  std::vector<std::string> violations;
  std::uint64_t bytes_max = UINT64_MAX;
  std::uint64_t next_inode = 2;
  std::uint64_t next_change = 1;

  /// Grows when the power is cut or the process killed; handles of earlier
  /// generations are dead.
  std::uint64_t generation = 0;

  node_ptr find(const storage::path& name) const;

  node_ptr create_node(bool is_directory);

  /// Makes changes of entries and remembers them as unsynced.
  void change_entries(std::vector<entry_change::entry> entries);

  void sync_entries(const node_ptr& directory);

  /// Returns the name of `node` as seen; empty if it has none any more.
  storage::path name_of(const node_ptr& node) const;

  /// Returns whether all entries down to `name` are on the disk and lead to
  /// `node`.
  bool is_on_disk(const storage::path& name, const node_ptr& node) const;

  std::uint64_t used_bytes() const;

  /// Returns the numbers of all changes that are not on the disk, ascending.
  std::vector<std::uint64_t> unsynced_order() const;

  void cut_power(const survivors& what);
};

/// Applies a change to the content of a file.
void apply_change(const content_change& change, bytes& content);

/// As above, each sector with probability 1/2.
void apply_some_sectors(const content_change& change, bytes& content,
                        std::mt19937_64& random);

} // namespace gnomon::test
