// A clock that moves when told to.

#pragma once

#include "gnomon/clock.hpp"

#include <atomic>
#include <chrono>

namespace gnomon::testing {

/// Fake of both clocks. Threads: any thread may read and move it.
class manual_clock final : public clock {
public:
  /// Begins on 2024-01-01 unless told otherwise.
  explicit manual_clock(timestamp start = {1'704'067'200'000})
    : wall_(start.value) {
    // nop
  }

  timestamp wall() const override {
    return {wall_.load()};
  }

  std::chrono::nanoseconds monotonic() const override {
    return std::chrono::nanoseconds{monotonic_.fetch_add(per_reading_.load())};
  }

  /// Lets time go by on both clocks.
  void advance(duration by) {
    step_wall(by);
    advance_monotonic(by);
  }

  /// Sets the wall clock as an operator or NTP would.
  void set_wall(timestamp to) {
    wall_.store(to.value);
  }

  /// Moves the wall clock alone, either way.
  void step_wall(duration by) {
    wall_.store((wall() + by).value);
  }

  /// Moves the monotonic clock alone, as if the wall clock were frozen.
  void advance_monotonic(std::chrono::nanoseconds by) {
    monotonic_.fetch_add(by.count());
  }

  /// Lets the monotonic clock go on by `by` with each reading, so that work
  /// takes time.
  void advance_with_each_reading(std::chrono::nanoseconds by) {
    per_reading_.store(by.count());
  }

private:
  std::atomic<std::int64_t> wall_;
  mutable std::atomic<std::int64_t> monotonic_{0};
  std::atomic<std::int64_t> per_reading_{0};
};

} // namespace gnomon::testing
