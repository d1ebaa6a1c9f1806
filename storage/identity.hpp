// Who a partition's directory belongs to. Written once, never changed.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/ports/log_id.hpp"

#include <cstdint>

namespace gnomon::storage {

/// Content of the file IDENTITY. Plain value.
struct partition_identity {
  partition_id partition;

  /// How many partitions the keys are spread over; it decides which key lives
  /// where and can therefore not change.
  std::uint16_t partition_count = 0;

  log_id log;

  friend bool operator==(const partition_identity&, const partition_identity&)
    = default;
};

/// Returns the body of the file (12 bytes; `docs/formats/state.md`).
bytes encode(const partition_identity& source);

/// Writes IDENTITY; durable on success.
result<void> write_identity(file_system& files, const path& name,
                            const partition_identity& content);

/// Reads IDENTITY. `errc::not_found`, `errc::corrupted` or
/// `errc::format_too_new` if it cannot be used.
result<partition_identity> read_identity(file_system& files, const path& name);

/// Draws a log id from the operating system. The one random number in all of
/// the library that is ever stored.
result<log_id> draw_log_id();

} // namespace gnomon::storage
