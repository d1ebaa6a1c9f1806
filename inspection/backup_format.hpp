// What a backup is made of: names, and the manifest with the checksums.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/result.hpp"
#include "storage/file_hash.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::inspection {

/// Name of the last file of a backup: a checked file whose body has one line
/// for each of the others, "<XXH3-64, 16 hexadecimal digits> <bytes> <name>".
inline constexpr std::string_view backup_manifest_name = "MANIFEST";

/// Largest manifest that is written or believed.
inline constexpr std::uint64_t backup_manifest_bytes_max = 1 << 20;

/// A file of a backup and its checksum. Plain value.
struct backup_entry {
  std::string name;
  storage::file_sum sum;

  friend bool operator==(const backup_entry&, const backup_entry&) = default;
};

/// Returns whether a backup may have a file of this name: FORMAT, or an
/// IDENTITY, a segment, or a file of a snapshot, in the folder of a partition.
/// No other name is ever written to.
bool is_backup_name(std::string_view name);

/// Returns the content of the manifest. `errc::resource_exhausted` for more
/// than fits `backup_manifest_bytes_max`.
result<bytes> encode_manifest(const std::vector<backup_entry>& entries);

/// Reads what `encode_manifest` wrote. `errc::corrupted` for any damage, also
/// for names that no backup may have; `errc::format_too_new` for a later
/// version.
result<std::vector<backup_entry>> decode_backup_manifest(bytes_view source);

} // namespace gnomon::inspection
