#include "benchmarks/timers/application.hpp"
#include "benchmarks/timers/figures.hpp"
#include "gnomon/exporter.hpp"

#include <algorithm>
#include <thread>

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t window = 40;
constexpr std::size_t count = 100'000;

std::vector<submit> messages() {
  return creations(count, system_clock().wall() + std::chrono::hours{1},
                   spread);
}

/// Returns timers created per second.
double create_rate(const plan& what, bool with_metrics) {
  const scratch_directory scratch{what.directory / "metrics"};
  application app;
  app.open({.directory = scratch.path(), .metrics = with_metrics});
  app.wait_until_open();
  auto wanted = messages();
  const auto start = steady::now();
  app.submit_all(std::move(wanted), window);
  const auto rate = static_cast<double>(count) / seconds_since(start);
  app.close();
  return rate;
}

/// What creating timers was like with an exporter.
struct export_outcome {
  double create_rate = 0;
  double record_rate = 0;

  /// Time to create, of the time until all was acknowledged, too.
  double kept_up_percent = 0;
};

bool has_caught_up(application& app) {
  const auto now = app.status();
  return now.exporters_size() == 1
         && now.exporters(0).acknowledged_position() == now.durable_position();
}

template <class Spawn>
export_outcome run_export(const plan& what, Spawn spawn) {
  const scratch_directory scratch{what.directory / "export"};
  application app;
  app.open({.directory = scratch.path()});
  app.wait_until_open();
  spawn(app, scratch.path());
  auto wanted = messages();
  const auto start = steady::now();
  app.submit_all(std::move(wanted), window);
  const auto created = seconds_since(start);
  while (!has_caught_up(app))
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  const auto exported = seconds_since(start);
  const auto records = static_cast<double>(app.status().durable_position());
  app.close();
  return {static_cast<double>(count) / created, records / exported,
          100 * created / exported};
}

void print_export(figure_table& table, const std::string& name,
                  const export_outcome& outcome) {
  table.show(name + ": timers created", outcome.create_rate / 1e3, "k/s");
  table.show(name + ": records exported", outcome.record_rate / 1e3, "k/s");
  table.at_least(name + ": keeps up with creating", outcome.kept_up_percent, 90,
                 "%");
}

} // namespace

void measure_exporters(figure_table& table, const plan& what) {
  print_export(table, "exporter that counts",
               run_export(what, [](application& app, const auto&) {
                 spawn_exporter(
                   app.system(), app.target(),
                   [](const v1::ExportBatch&) { return result<void>{}; },
                   {.name = "count"});
               }));
  print_export(
    table, "exporter to JSON lines",
    run_export(what, [](application& app, const std::filesystem::path& where) {
      spawn_json_exporter(app.system(), app.target(),
                          {.directory = where / "json"}, {.name = "json"});
    }));
}

void measure_metrics(figure_table& table, const plan& what) {
  const std::size_t pairs = what.quick ? 5 : 11;
  std::vector<double> costs;
  create_rate(what, true);
  for (std::size_t i = 0; i < pairs; ++i) {
    // Each is first as often as the other.
    const auto first = create_rate(what, i % 2 == 0);
    const auto second = create_rate(what, i % 2 != 0);
    const auto on = i % 2 == 0 ? first : second;
    const auto off = i % 2 == 0 ? second : first;
    costs.push_back(100 * (off / on - 1));
  }
  table.at_most("metrics: cost of creating timers (median of pairs)",
                percentile(costs, 0.5), 3, "%");
}

} // namespace gnomon::benchmarks
