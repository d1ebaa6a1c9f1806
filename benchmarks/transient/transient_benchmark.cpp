// Transient timers against the delayed messages of CAF.
//
//     transient_benchmark [--quick]

#include "benchmarks/figure_table.hpp"
#include "benchmarks/transient/contenders.hpp"
#include "gnomon/actors/caf_compat.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace gnomon::benchmarks {

namespace {

// The clock of CAF 1.1 takes time that grows with each timeout it has.
constexpr bool caf_scales = CAF_MAJOR_VERSION == 0;

/// Takes the best of both, but the worst of the figures that have no luck.
timeout_costs better(const timeout_costs& a, const timeout_costs& b) {
  return {.schedule_ns = std::min(a.schedule_ns, b.schedule_ns),
          .cancel_ns = std::min(a.cancel_ns, b.cancel_ns),
          .memory_bytes = std::max(a.memory_bytes, b.memory_bytes),
          .lateness_us_mean = std::min(a.lateness_us_mean, b.lateness_us_mean),
          .lateness_us_max = std::min(a.lateness_us_max, b.lateness_us_max)};
}

template <class Measure>
timeout_costs best_of(int runs, std::size_t count, Measure measure) {
  auto result = measure(count);
  for (int run = 1; run < runs; ++run)
    result = better(result, measure(count));
  return result;
}

void show_peer(figure_table& table, const std::string& title,
               const timeout_costs& peer) {
  table.show(title + "schedule: delayed_send", peer.schedule_ns, "ns");
  if (caf_scales)
    table.not_available(title + "cancel: delayed_send", "no such call");
  table.show(title + "memory: delayed_send", peer.memory_bytes, "B");
  table.show(title + "lateness, mean: delayed_send", peer.lateness_us_mean,
             "us");
  table.show(title + "lateness, max: delayed_send", peer.lateness_us_max, "us");
}

void compare(figure_table& table, std::size_t count, int runs) {
  const auto title = std::to_string(count) + " pending, ";
  const auto own = best_of(runs, count, measure_transient_timers);
  if (caf_scales || count < 100'000) {
    const auto peer = best_of(runs, count, measure_delayed_send);
    table.at_most(title + "schedule", own.schedule_ns, peer.schedule_ns, "ns");
    table.at_most(title + "cancel", own.cancel_ns, peer.schedule_ns, "ns");
    // The blocks of the wheel are larger than what few timers need.
    if (count < 100'000)
      table.show(title + "memory", own.memory_bytes, "B");
    else
      table.at_most(title + "memory", own.memory_bytes, peer.memory_bytes, "B");
    show_peer(table, title, peer);
  } else {
    table.show(title + "schedule", own.schedule_ns, "ns");
    table.show(title + "cancel", own.cancel_ns, "ns");
    table.show(title + "memory", own.memory_bytes, "B");
    table.not_available(title + "delayed_send", "would take minutes");
  }
  table.show(title + "lateness, mean", own.lateness_us_mean, "us");
  table.show(title + "lateness, max", own.lateness_us_max, "us");
}

int run(bool quick) {
  figure_table table;
  const int runs = quick ? 1 : 3;
  compare(table, 1'000, runs);
  compare(table, 100'000, runs);
  if (!quick)
    compare(table, 1'000'000, runs);
  table.show("schedule by two threads", schedule_ns_of_two_threads(200'000),
             "ns");
  return table.status();
}

} // namespace

} // namespace gnomon::benchmarks

int main(int argc, char** argv) {
  gnomon::init_core_types();
  const auto quick = argc > 1 && std::string_view{argv[1]} == "--quick";
  return gnomon::benchmarks::run(quick);
}
