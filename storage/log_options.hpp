// What a log is told when it is opened, and what it tells in return.

#pragma once

#include "gnomon/position.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/ports/log_id.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gnomon::storage {

/// How the space of a new segment is set aside.
enum class preallocation {
  /// Reserve the blocks. The first write into a block changes metadata, which
  /// makes the syncs dearer.
  reserve,
  /// Write zeros over all of it while rolling. Later syncs then touch no
  /// metadata; each segment is written twice.
  zeros,
};

/// Limits and ways of a log. Plain value.
struct log_options {
  /// Must be the same whenever the log is opened.
  log_id id;

  /// Receives copies of tails that were cut off; created when needed.
  path torn_directory;

  /// Size of a segment. A frame that does not fit into an empty segment makes
  /// that one longer.
  std::size_t segment_bytes = 64 * 1024 * 1024;

  /// Largest frame that `seal` accepts, with its header.
  std::size_t frame_bytes_max = 16 * 1024 * 1024;

  preallocation space = preallocation::zeros;
};

/// What the caller knows about the log before it is opened.
struct open_hints {
  /// Known from a clean stamp or a snapshot; the log must reach it.
  position durable_at_least;

  /// Segments that end before this position are checked by their headers only.
  position verify_from{1};

  /// Believe cached pages. Only right if the log was closed without an error.
  bool keep_cache = false;
};

/// What opening a log found and did. Plain value.
struct opening_report {
  /// Whether there was no log and one was created.
  bool created = false;

  /// Bytes cut off behind the last valid frame; never acknowledged ones.
  std::uint64_t torn_bytes = 0;

  /// Segment that was cut, and where.
  path torn_segment;
  std::uint64_t torn_offset = 0;

  /// Copy of what was cut; empty if nothing was or the device was full.
  path torn_copy;

  /// Segments without a whole header and without frames that were deleted.
  std::size_t segments_deleted = 0;

  /// Frames read and verified.
  std::uint64_t frames_verified = 0;
};

/// Renders what was cut or deleted for an operator; empty if nothing was.
std::string to_string(const opening_report& report);

} // namespace gnomon::storage
