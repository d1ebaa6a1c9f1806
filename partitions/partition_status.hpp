// How a partition is doing.

#pragma once

#include "gnomon/position.hpp"

#include <cstddef>
#include <cstdint>

namespace gnomon::partitions {

/// Counts since it was opened, and where things stand. Plain value.
struct partition_status {
  std::uint64_t epoch = 0;
  position last;
  position durable;
  position last_processed;
  std::size_t pending = 0;
  std::size_t in_flight = 0;
  std::uint64_t commands = 0;
  std::uint64_t batches = 0;
  std::uint64_t syncs = 0;
  std::size_t workers = 0;
  std::uint64_t log_bytes = 0;
  position snapshot;
  bool clock_suspect = false;
};

} // namespace gnomon::partitions
