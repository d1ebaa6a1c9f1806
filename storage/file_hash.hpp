// Whole files, read or copied piece by piece with a checksum on the way.

#pragma once

#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"

#include <cstdint>

namespace gnomon::storage {

/// Size and XXH3-64 of a file.
struct file_sum {
  std::uint64_t size = 0;
  std::uint64_t hash = 0;

  friend bool operator==(const file_sum&, const file_sum&) = default;
};

/// Reads all of `name` from the disk, not from the cache.
result<file_sum> hash_file(file_system& files, const path& name);

/// Copies `source` to the new file `target` and syncs it. The sum is of what
/// was copied.
result<file_sum> copy_file(file_system& files, const path& source,
                           const path& target);

} // namespace gnomon::storage
