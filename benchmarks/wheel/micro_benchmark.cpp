// Single calls, hot.

#include "gnomon/clock.hpp"
#include "gnomon/timing_wheel.hpp"
#include "timers/next_due_reference.hpp"
#include "timers/yield_budget.hpp"

#include <benchmark/benchmark.h>

namespace gnomon::benchmarks {

namespace {

/// A wheel with 100,000 timers within the next hour, in milliseconds.
timing_wheel make_wheel() {
  timing_wheel result;
  for (std::uint64_t i = 1; i <= 100'000; ++i)
    result.schedule(i * 7919 % 3'600'000 + 1, i);
  return result;
}

void schedule_and_cancel(benchmark::State& state) {
  auto wheel = make_wheel();
  for (auto _ : state)
    benchmark::DoNotOptimize(wheel.cancel(wheel.schedule_after(30'000, 1)));
}

void look_at_next(benchmark::State& state) {
  auto wheel = make_wheel();
  for (auto _ : state)
    benchmark::DoNotOptimize(wheel.next());
}

void offer_what_is_later(benchmark::State& state) {
  timers::next_due_reference next;
  next.offer({0});
  for (auto _ : state)
    benchmark::DoNotOptimize(next.offer({100}));
}

void spend_of_a_budget(benchmark::State& state) {
  timers::yield_budget budget{system_clock()};
  for (auto _ : state)
    benchmark::DoNotOptimize(budget.spend());
}

BENCHMARK(schedule_and_cancel);
BENCHMARK(look_at_next);
BENCHMARK(offer_what_is_later);
BENCHMARK(spend_of_a_budget);

} // namespace

} // namespace gnomon::benchmarks
