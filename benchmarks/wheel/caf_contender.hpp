// The actor clock of CAF: what delayed_send costs.

#pragma once

#include <cstddef>

namespace gnomon::benchmarks {

/// Nanoseconds per message.
struct caf_timings {
  double schedule = 0;

  /// From the common due date to the arrival of the last one.
  double expire = 0;
};

/// Sends `count` messages, all due at one time, and waits for them. In real
/// time, since the clock cannot be moved; a sent message cannot be canceled.
caf_timings run_caf(std::size_t count);

} // namespace gnomon::benchmarks
