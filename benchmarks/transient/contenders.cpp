#include "benchmarks/transient/contenders.hpp"

#include "gnomon/transient_timers.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <malloc.h>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace gnomon::benchmarks {

namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

constexpr std::size_t probe_count = 20;

double nanoseconds_since(steady::time_point begin) {
  return std::chrono::duration<double, std::nano>(steady::now() - begin)
    .count();
}

std::size_t heap_bytes() {
  const auto all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

/// Delays between one minute and one hour.
std::vector<caf::timespan> delays_of(std::size_t count) {
  std::mt19937_64 random{1};
  std::uniform_int_distribution<std::int64_t> seconds{60'000, 3'600'000};
  std::vector<caf::timespan> result(count);
  for (auto& delay : result)
    delay = std::chrono::milliseconds{seconds(random)};
  return result;
}

/// How late probes came.
struct lateness {
  std::promise<void> complete;
  std::size_t count = 0;
  double sum_us = 0;
  double max_us = 0;
};

/// Takes the times at which messages were due.
caf::behavior noting(lateness* into) {
  return {
    [into](std::int64_t due) {
      const auto late
        = static_cast<double>(steady::now().time_since_epoch().count() - due)
          / 1'000;
      into->sum_us += late;
      into->max_us = std::max(into->max_us, late);
      if (++into->count == probe_count)
        into->complete.set_value();
    },
  };
}

/// Sends probes, apart by no whole number of ticks, by `send(delay, due)`, and
/// waits for them.
template <class Send>
void probe(timeout_costs& costs, lateness& late, Send send) {
  for (std::size_t i = 1; i <= probe_count; ++i) {
    const caf::timespan delay = 20ms + i * 5'130us;
    send(delay, (steady::now() + delay).time_since_epoch().count());
  }
  late.complete.get_future().wait();
  costs.lateness_us_mean = late.sum_us / probe_count;
  costs.lateness_us_max = late.max_us;
}

/// Returns what a message takes.
double message_bytes() {
  std::vector<caf::message> messages(1'000);
  const auto heap = heap_bytes();
  for (auto& content : messages)
    content = caf::make_message(std::int64_t{0});
  return static_cast<double>(heap_bytes() - heap) / 1'000;
}

/// What both need: a system, and somebody to send to.
struct environment {
  caf::actor_system_config config;
  caf::actor_system system{config};
  lateness late;
  caf::actor receiver{
    system.spawn<caf::hidden>([this] { return noting(&late); })};
  caf::scoped_actor self{system};

  ~environment() {
    self->send_exit(receiver, caf::exit_reason::kill);
  }
};

} // namespace

timeout_costs measure_transient_timers(std::size_t count) {
  environment all;
  const auto delays = delays_of(count);
  std::vector<timer_handle> handles(count);
  timeout_costs costs;
  transient_timers timers{all.system};
  auto begin = steady::now();
  for (std::size_t i = 0; i < count; ++i)
    handles[i] = timers.schedule(delays[i], all.receiver, std::int64_t{0});
  const auto each = static_cast<double>(count);
  costs.schedule_ns = nanoseconds_since(begin) / each;
  // The wheel takes its memory from the system, not from the heap.
  costs.memory_bytes
    = static_cast<double>(timers.memory_bytes()) / each + message_bytes();
  probe(costs, all.late, [&](caf::timespan delay, std::int64_t due) {
    timers.schedule(delay, all.receiver, due);
  });
  begin = steady::now();
  for (const auto handle : handles)
    timers.cancel(handle);
  costs.cancel_ns = nanoseconds_since(begin) / each;
  return costs;
}

timeout_costs measure_delayed_send(std::size_t count) {
  environment all;
  const auto delays = delays_of(count);
  timeout_costs costs;
  const auto heap = heap_bytes();
  const auto begin = steady::now();
  for (const auto delay : delays)
    mail_as(all.self.ptr(), std::int64_t{0}).delay(delay).send(all.receiver);
  const auto each = static_cast<double>(count);
  costs.schedule_ns = nanoseconds_since(begin) / each;
  costs.memory_bytes = static_cast<double>(heap_bytes() - heap) / each;
  probe(costs, all.late, [&](caf::timespan delay, std::int64_t due) {
    mail_as(all.self.ptr(), due).delay(delay).send(all.receiver);
  });
  return costs;
}

double schedule_ns_of_two_threads(std::size_t count) {
  environment all;
  transient_timers timers{all.system};
  timers.reserve(count);
  const auto delays = delays_of(count / 2);
  const auto half = [&] {
    for (const auto delay : delays)
      timers.schedule(delay, all.receiver, std::int64_t{0});
  };
  const auto begin = steady::now();
  std::thread other{half};
  half();
  other.join();
  return nanoseconds_since(begin) / static_cast<double>(count);
}

} // namespace gnomon::benchmarks
