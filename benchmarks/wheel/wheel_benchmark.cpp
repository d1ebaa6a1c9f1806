// The timing wheel against what else could keep a million timers.
//
//     wheel_benchmark [--quick]

#include "benchmarks/figure_table.hpp"
#include "benchmarks/wheel/asio_contender.hpp"
#include "benchmarks/wheel/caf_contender.hpp"
#include "benchmarks/wheel/contenders.hpp"
#include "benchmarks/wheel/pauses.hpp"
#include "benchmarks/wheel/workload.hpp"

#include <malloc.h>
#include <map>
#include <string>
#include <string_view>

namespace gnomon::benchmarks {

namespace {

using timings_by_name = std::map<std::string, timings>;

/// Sizes of one table.
struct plan {
  std::string title;
  std::size_t count = 0;

  /// How often to run the slow contenders.
  int runs = 1;

  /// How often to run the quick ones each time.
  int rounds = 1;
};

template <class Contender>
void burst(const workload& load, timings_by_name& best) {
  best[Contender::name].improve(run_burst<Contender>(load));
  best[Contender::name].improve(run_expiry<Contender>(load));
}

template <class Contender>
void burst_and_hold(const workload& load, timings_by_name& best) {
  burst<Contender>(load, best);
  best[Contender::name].improve(run_hold<Contender>(load));
}

/// Runs all contenders in turn, several times, so that a busy moment of the
/// machine does not hit one alone.
timings_by_name measure(const plan& what) {
  const workload load{what.count};
  timings_by_name best;
  for (int run = 0; run < what.runs; ++run) {
    for (int round = 0; round < what.rounds; ++round) {
      burst_and_hold<wheel_contender>(load, best);
      burst_and_hold<heap_contender>(load, best);
      burst_and_hold<queue_contender>(load, best);
    }
    burst<multimap_contender>(load, best);
    if (what.count > 1'000'000)
      continue;
    // Ten million of these take minutes or gigabytes.
    best[multimap_contender::name].improve(run_hold<multimap_contender>(load));
    burst<asio_contender>(load, best);
  }
  return best;
}

/// Prints one figure of all contenders; the wheel should be ahead of them.
void compare(figure_table& table, const std::string& title,
             const timings_by_name& best, double timings::*figure) {
  auto best_other = timings::none;
  for (const auto& [name, timing] : best)
    if (name != wheel_contender::name)
      best_other = std::min(best_other, timing.*figure);
  table.at_most(title + ": " + wheel_contender::name,
                best.at(wheel_contender::name).*figure, best_other, "ns");
  for (const auto& [name, timing] : best)
    if (name != wheel_contender::name && timing.*figure < timings::none)
      table.show(title + ": " + name, timing.*figure, "ns");
}

void show_parts(figure_table& table, const std::string& title,
                const timings_by_name& best) {
  for (const auto& [name, timing] : best) {
    table.show(title + " schedule: " + name, timing.schedule, "ns");
    table.show(title + " cancel: " + name, timing.cancel, "ns");
    table.show(title + " expire last 10 %: " + name, timing.expire_rest, "ns");
  }
}

void print_comparison(figure_table& table, const plan& what) {
  const auto best = measure(what);
  const auto& own = best.at(wheel_contender::name);
  compare(table, what.title + " total", best, &timings::total);
  compare(table, what.title + " expire all", best, &timings::expire_all);
  compare(table, what.title + " hold", best, &timings::hold);
  if (what.count == 1'000'000)
    table.at_most("1M expire all, moves included", own.expire_all, 100, "ns");
  show_parts(table, what.title, best);
}

void print_caf(figure_table& table, std::size_t count) {
  const auto caf = run_caf(count);
  const auto title = "CAF delayed_send, " + std::to_string(count) + " ";
  table.show(title + "schedule", caf.schedule, "ns");
  table.not_available(title + "cancel", "no such call");
  table.show(title + "expire", caf.expire, "ns");
}

void print_pauses(figure_table& table, int runs) {
  constexpr std::size_t million = 1'000'000;
  const auto herd = longest_pause_of_herd(million, 1000, runs);
  const auto tick = longest_pause_of_tick(million, 1000, runs);
  table.at_most("1M in a minute: longest advance of 1000", herd, 100, "us");
  table.at_most("1M on one tick: longest advance of 1000", tick, 100, "us");
}

int run(bool quick) {
  figure_table table;
  print_pauses(table, quick ? 2 : 5);
  print_comparison(table, {"1M", 1'000'000, quick ? 1 : 2, 4});
  print_caf(table, quick ? 100'000 : 1'000'000);
  if (!quick)
    print_comparison(table, {"10M", 10'000'000, 1, 2});
  return table.status();
}

} // namespace

} // namespace gnomon::benchmarks

int main(int argc, char** argv) {
  // Memory that was touched once is kept, so that later runs do not measure
  // page faults.
  ::mallopt(M_TRIM_THRESHOLD, -1);
  ::mallopt(M_MMAP_MAX, 0);
  const auto quick = argc > 1 && std::string_view{argv[1]} == "--quick";
  return gnomon::benchmarks::run(quick);
}
