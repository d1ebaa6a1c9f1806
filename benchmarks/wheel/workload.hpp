// What is done to each contender, and how long it took.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

namespace gnomon::benchmarks {

/// Returns processor time of this thread: others on the machine do not count.
inline double thread_nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9
         + static_cast<double>(now.tv_nsec);
}

/// Due dates within an hour, in milliseconds, and an order to cancel in.
struct workload {
  static constexpr std::uint64_t hour = 3'600'000;

  std::vector<std::uint32_t> delays;
  std::vector<std::uint32_t> cancel_order;

  explicit workload(std::size_t count) : delays(count), cancel_order(count) {
    std::mt19937 random{42};
    for (auto& delay : delays)
      delay = 1 + random() % hour;
    std::iota(cancel_order.begin(), cancel_order.end(), 0u);
    std::shuffle(cancel_order.begin(), cancel_order.end(), random);
  }

  std::size_t count() const {
    return delays.size();
  }
};

/// Nanoseconds per timer. Each member keeps its best over several runs.
struct timings {
  static constexpr double none = 1e18;

  double schedule = none;
  double cancel = none;
  double expire_rest = none;
  /// Schedule all, cancel 90 %, expire the rest: per timer scheduled.
  double total = none;
  double expire_all = none;
  double hold = none;

  void improve(const timings& other) {
    schedule = std::min(schedule, other.schedule);
    cancel = std::min(cancel, other.cancel);
    expire_rest = std::min(expire_rest, other.expire_rest);
    total = std::min(total, other.total);
    expire_all = std::min(expire_all, other.expire_all);
    hold = std::min(hold, other.hold);
  }
};

template <class Contender>
void schedule_all(Contender& contender, const workload& load) {
  for (std::uint32_t i = 0; i < load.count(); ++i)
    contender.schedule(i, load.delays[i]);
}

/// Lets all timers expire in steps of 100 ms. @returns How many there were.
template <class Contender>
std::size_t expire_all(Contender& contender) {
  std::size_t result = 0;
  for (std::uint64_t now = 100; now <= workload::hour; now += 100)
    contender.advance(now, [&](std::uint32_t) { ++result; });
  return result;
}

/// Schedules all, cancels 90 % in random order, expires the rest.
template <class Contender>
timings run_burst(const workload& load) {
  Contender contender{load.count()};
  const auto begin = thread_nanoseconds();
  schedule_all(contender, load);
  const auto scheduled = thread_nanoseconds();
  const auto cancel_count = load.count() / 10 * 9;
  for (std::size_t i = 0; i < cancel_count; ++i)
    contender.cancel(load.cancel_order[i]);
  // Time 0 lets nothing expire, but Asio completes its canceled waits here.
  contender.advance(0, [](std::uint32_t) {});
  const auto canceled = thread_nanoseconds();
  const auto rest = expire_all(contender);
  const auto end = thread_nanoseconds();
  const auto count = static_cast<double>(load.count());
  timings result;
  result.schedule = (scheduled - begin) / count;
  result.cancel = (canceled - scheduled) / static_cast<double>(cancel_count);
  result.expire_rest = (end - canceled) / static_cast<double>(rest);
  result.total = (end - begin) / count;
  return result;
}

/// Schedules all and lets all expire.
template <class Contender>
timings run_expiry(const workload& load) {
  Contender contender{load.count()};
  schedule_all(contender, load);
  const auto begin = thread_nanoseconds();
  const auto count = expire_all(contender);
  timings result;
  result.expire_all
    = (thread_nanoseconds() - begin) / static_cast<double>(count);
  return result;
}

/// Steady state: each timer that expires is scheduled anew.
template <class Contender>
timings run_hold(const workload& load) {
  Contender contender{load.count()};
  schedule_all(contender, load);
  const auto wanted = std::min<std::size_t>(load.count(), 1'000'000);
  std::size_t done = 0;
  const auto begin = thread_nanoseconds();
  while (done < wanted) {
    const auto now = contender.next();
    contender.advance(now, [&](std::uint32_t timer) {
      contender.schedule(timer, now + load.delays[done++ % load.count()]);
    });
  }
  timings result;
  result.hold = (thread_nanoseconds() - begin) / static_cast<double>(done);
  return result;
}

} // namespace gnomon::benchmarks
