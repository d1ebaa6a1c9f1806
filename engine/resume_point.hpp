// Where processing goes on after recovery.

#pragma once

#include "gnomon/record.hpp"
#include "storage/ports/bookkeeping.hpp"

#include <deque>

namespace gnomon::engine {

/// What replay hands to live processing. Plain value.
struct resume_point {
  /// What the state says about itself; its last applied position is the last
  /// one of the log.
  storage::state_bookkeeping book;

  /// Commands that are logged, but have no outcome yet, in position order.
  std::deque<record> outstanding;
};

} // namespace gnomon::engine
