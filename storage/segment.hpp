// Layout, names and creation of segments: the files of a log. The bytes are
// described in docs/formats/log.md.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/frame.hpp"
#include "storage/log_options.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::storage {

inline constexpr std::size_t segment_header_bytes = 64;

static_assert(segment_header_bytes % frame_alignment == 0);

/// Header of a segment, without magic and checksum. Plain value.
struct segment_header {
  std::uint16_t version = log_format_version;
  log_id id;
  std::uint64_t epoch = 0;

  /// Position of the first record; also the name of the file.
  position first;

  /// Chain value of the last frame of the segment before.
  chain_value previous;

  /// Highest position known to be durable when the segment was created.
  position durable;

  std::uint64_t next_key = 1;

  friend bool operator==(const segment_header&, const segment_header&)
    = default;
};

bytes encode_segment_header(const segment_header& header);

/// Returns the header, of whatever version, or nothing if the bytes are too few
/// or damaged.
std::optional<segment_header> decode_segment_header(bytes_view source);

/// Returns the file name of the segment that begins at `first`.
std::string segment_name(position first);

/// Returns the first position that a file name says; nothing if it is not the
/// name of a segment.
std::optional<position> parse_segment_name(std::string_view name);

/// Returns the first positions of the segments in `directory`, ascending.
result<std::vector<position>> list_segments(file_system& files,
                                            const path& directory);

/// Name of a file with the space of a segment, but without a header. Opening
/// the log deletes it, like every *.tmp.
inline constexpr const char* spare_segment_name = "spare.tmp";

/// Sets the space of a segment aside, replacing a spare one that is there. The
/// slow half of `create_segment`, to be done beforehand; synced.
result<std::unique_ptr<file>> create_spare_segment(file_system& files,
                                                   const path& directory,
                                                   std::size_t segment_bytes,
                                                   preallocation space);

/// Creates a segment that survives a crash whole or not at all: *.tmp with
/// header and space, sync, rename, sync of the directory.
/// @param named  Set to true once the file may be there under its own name.
/// @param spare  What `create_spare_segment` returned, to be used up; or null.
result<std::unique_ptr<file>>
create_segment(file_system& files, const path& directory,
               const segment_header& header, std::size_t segment_bytes,
               preallocation space, bool* named = nullptr,
               std::unique_ptr<file> spare = nullptr);

} // namespace gnomon::storage
