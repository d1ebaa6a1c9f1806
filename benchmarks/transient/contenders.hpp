// What it costs to have very many messages sent later.

#pragma once

#include <cstddef>
#include <limits>

namespace gnomon::benchmarks {

/// Costs of one timeout of many.
struct timeout_costs {
  double schedule_ns = 0;

  /// Not a number: there is no such call.
  double cancel_ns = std::numeric_limits<double>::quiet_NaN();

  double memory_bytes = 0;

  /// Of messages due while all others wait.
  double lateness_us_mean = 0;
  double lateness_us_max = 0;
};

/// Schedules `count` messages for the next hour in pseudo-random order, then
/// some that are due soon; cancels them all in the end.
timeout_costs measure_transient_timers(std::size_t count);

/// The same with what CAF itself has; cancels nothing.
timeout_costs measure_delayed_send(std::size_t count);

/// Returns the time of one `schedule` if two threads do nothing else, by the
/// wall clock.
double schedule_ns_of_two_threads(std::size_t count);

} // namespace gnomon::benchmarks
