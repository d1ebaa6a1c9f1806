// The time of a partition: follows the wall clock, never runs backwards.

#pragma once

#include "gnomon/timestamp.hpp"

#include <algorithm>

namespace gnomon::engine {

/// What records are stamped with: the wall clock as read by the caller, but
/// never less than the last stamp. Restored from the log. Plain value.
struct partition_time {
  timestamp last;

  /// Returns the time at a reading `wall` of the wall clock.
  constexpr timestamp at(timestamp wall) const {
    return std::max(last, wall);
  }

  /// Moves on to a reading `wall` of the wall clock. @returns The new time.
  constexpr timestamp advance(timestamp wall) {
    last = at(wall);
    return last;
  }
};

} // namespace gnomon::engine
