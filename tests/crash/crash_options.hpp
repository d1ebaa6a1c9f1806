// How partitions are opened that are stopped by others.

#pragma once

#include "gnomon/partition_options.hpp"

namespace gnomon::crash {

/// Small segments and frequent snapshots, so that an end may meet them, too.
/// Nothing is compacted: whoever judges reads all of the log.
inline partition_options crash_options(const std::filesystem::path& directory) {
  partition_options result;
  result.directory = directory;
  result.batch_bytes_max = 16 << 10;
  result.resolution = duration{1};
  result.segment_bytes = 64 << 10;
  result.payload_bytes_max = 4 << 10;
  result.map_bytes = 64 << 20;
  result.catch_up_max = 5;
  result.snapshot_log_bytes = 128 << 10;
  result.compact = false;
  return result;
}

} // namespace gnomon::crash
