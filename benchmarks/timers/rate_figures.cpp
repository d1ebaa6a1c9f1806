#include "benchmarks/timers/application.hpp"
#include "benchmarks/timers/bare_storage.hpp"
#include "benchmarks/timers/figures.hpp"
#include "benchmarks/timers/paired.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t window = 40;

/// Returns timers created per second.
double run_create(const plan& what, std::size_t count) {
  const scratch_directory scratch{what.directory / "create"};
  application app;
  app.open({.directory = scratch.path()});
  app.wait_until_open();
  auto messages
    = creations(count, system_clock().wall() + std::chrono::hours{1}, spread);
  const auto start = steady::now();
  app.submit_all(std::move(messages), window);
  const auto rate = static_cast<double>(count) / seconds_since(start);
  app.close();
  return rate;
}

void print_create(figure_table& table, const plan& what, std::size_t count,
                  int runs, const std::string& name) {
  const auto bare = [&] {
    return run_bare_storage(what.directory / "bare", count, spread).create;
  };
  const auto reached = [&] {
    return run_create(what, count);
  };
  show_paired(table, "create " + name, runs, bare, reached, 50);
}

bool is_anything_overdue(application& app) {
  v1::Query question;
  question.mutable_waiting_room()->set_visits_max(1);
  return app.ask(question).waiting_room().has_oldest_overdue_ms();
}

void sleep_until(timestamp when) {
  const auto left = when - system_clock().wall();
  std::this_thread::sleep_for(std::max(left, duration{0}));
}

/// What a burst of timers that are due at once was like.
struct burst_outcome {
  double rate = 0;
  double client_wait_max_ms = 0;
  std::size_t client_requests = 0;
};

/// @param patience  For how long creating them may take.
burst_outcome run_burst(const plan& what, duration patience) {
  const scratch_directory scratch{what.directory / "burst"};
  application app;
  app.open({.directory = scratch.path()});
  app.wait_until_open();
  const auto due = system_clock().wall() + patience;
  app.submit_all(creations(what.timers(), due, duration{0}), window);
  if (system_clock().wall() >= due)
    give_up("creating the timers of the burst took too long");
  sleep_until(due + duration{-200});
  auto waits = std::make_shared<series>();
  waits->count_max = what.timers();
  const auto client = spawn_one_by_one<submit_reply>(
    app.system(), app.target(),
    [due] { return make_submit(plain_timer(due + spread)); }, waits);
  sleep_until(due);
  const auto start = steady::now();
  while (is_anything_overdue(app))
    std::this_thread::sleep_for(duration{5});
  const auto seconds = seconds_since(start);
  waits->is_over = true;
  caf::scoped_actor {
    app.system()
    } -> wait_for(client);
  app.close();
  return {static_cast<double>(what.timers()) / seconds,
          percentile(waits->waits_ms, 1), waits->waits_ms.size()};
}

} // namespace

void measure_burst(figure_table& table, const plan& what) {
  const auto bare = run_bare_storage(what.directory / "bare", what.timers(),
                                     std::chrono::milliseconds{1})
                      .trigger;
  // Time to create them at a rate that any machine should have.
  const duration patience{2'000 + what.timers() / 20};
  const auto reached = run_burst(what, patience);
  const auto name = what.timers_name() + " due at once";
  table.show(name + ": storage alone", bare / 1e3, "k/s");
  table.show(name, reached.rate / 1e3, "k/s");
  table.at_least(name + ", of storage alone", 100 * reached.rate / bare, 40,
                 "%");
  table.show(name + ": requests of a client",
             static_cast<double>(reached.client_requests), "");
  table.at_most(name + ": longest wait of a client", reached.client_wait_max_ms,
                100, "ms");
}

void measure_create(figure_table& table, const plan& what) {
  print_create(table, what, 100'000, 9, "100k");
  if (!what.quick)
    print_create(table, what, 1'000'000, 1, "1M");
}

} // namespace gnomon::benchmarks
