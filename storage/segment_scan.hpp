// Searches the part of a segment behind its last good frame.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/log_options.hpp"
#include "storage/ports/file_system.hpp"

#include <cstdint>

namespace gnomon::storage {

/// What lies behind an offset. Plain value.
struct segment_remainder {
  /// Bytes up to and with the last one that is not zero.
  std::uint64_t used_bytes = 0;

  /// Highest durable position that valid frames in there have named.
  position durable;
};

/// Looks at every aligned offset from `begin` to the end of the file for valid
/// frames of log `id` with positions behind `last`. Frames with earlier
/// positions are passed over: a record may hold a copy of one.
/// @pre `begin` is aligned.
result<segment_remainder> scan_remainder(file& source, std::uint64_t begin,
                                         log_id id, position last);

} // namespace gnomon::storage
