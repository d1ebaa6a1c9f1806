// Source of time. Injected everywhere; only the system clock asks the OS.

#pragma once

#include "gnomon/timestamp.hpp"

#include <chrono>

namespace gnomon {

/// Port. *When* in the world (may jump) and *how long* (never jumps).
///
/// Threads: all members may be called from any thread.
class clock {
public:
  virtual ~clock() = default;

  /// Returns the time of the wall clock, in UTC.
  virtual timestamp wall() const = 0;

  /// Returns the time since an arbitrary start; goes on while the machine
  /// sleeps and never backwards. Meaningless after a restart.
  virtual std::chrono::nanoseconds monotonic() const = 0;
};

/// Returns the clock of the machine: CLOCK_REALTIME and CLOCK_BOOTTIME.
const clock& system_clock();

} // namespace gnomon
