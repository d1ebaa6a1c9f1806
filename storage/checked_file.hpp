// Small files that are written whole and replaced whole: identity, stamp,
// manifest. One frame around all of them, which never changes.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"

#include <cstdint>
#include <string_view>

namespace gnomon::storage {

/// Kind of a checked file and the newest layout of its body that we know.
struct checked_file_format {
  /// Exactly eight characters.
  std::string_view magic;
  std::uint32_t version = 1;
};

/// Bodies larger than this are taken for damage before anything is allocated.
inline constexpr std::uint32_t checked_file_body_bytes_max = 1 << 20;

/// Returns `magic | version u32 | body_bytes u32 | body | XXH3-64 of all
/// before`, numbers little-endian.
bytes encode_checked(const checked_file_format& format, bytes_view body);

/// Takes apart what `encode_checked` returns.
/// @returns The body; `errc::corrupted` for damage, and
///          `errc::format_too_new` for an intact file of a later version.
result<bytes> decode_checked(const checked_file_format& format,
                             bytes_view content);

/// Replaces `name` by a file with `body`: tmp, sync, rename, sync of the
/// directory. Durable on success; after a crash in the middle the old file or
/// the new one is there, and perhaps `tmp`.
/// @param tmp  Next to `name`; overwritten.
result<void> write_checked(file_system& files, const path& name,
                           const path& tmp, const checked_file_format& format,
                           bytes_view body);

/// As above with `name` + ".tmp".
result<void> write_checked(file_system& files, const path& name,
                           const checked_file_format& format, bytes_view body);

/// Reads the body of `name`. `errc::not_found` if there is no such file;
/// otherwise fails as `decode_checked` does.
result<bytes> read_checked(file_system& files, const path& name,
                           const checked_file_format& format);

} // namespace gnomon::storage
