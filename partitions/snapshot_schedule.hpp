// When the next snapshot is due: by bytes of log since the last one.

#pragma once

#include "gnomon/position.hpp"

#include <cstdint>

namespace gnomon::partitions {

/// Counts the log behind the newest snapshot. Plain value.
class snapshot_schedule {
public:
  /// @param log_bytes  Growth that calls for a snapshot; 0: never.
  explicit snapshot_schedule(std::uint64_t log_bytes) : limit_(log_bytes) {
    // nop
  }

  /// Begins with a snapshot at `newest` and so much log behind it.
  void restore(position newest, std::uint64_t log_bytes) {
    newest_ = newest;
    grown_ = log_bytes;
  }

  void add(std::uint64_t log_bytes) {
    grown_ += log_bytes;
  }

  void taken(position newest) {
    restore(newest, 0);
  }

  bool is_due() const {
    return limit_ != 0 && grown_ >= limit_;
  }

  std::uint64_t grown() const {
    return grown_;
  }

  position newest() const {
    return newest_;
  }

private:
  std::uint64_t limit_;
  std::uint64_t grown_ = 0;
  position newest_;
};

} // namespace gnomon::partitions
