// Timers of one partition: rates, waits, lateness, restart, memory.
//
//     timers_benchmark [--quick] [--directory DIRECTORY] [FIGURES ...]
//
// FIGURES are pending, create, burst, jobs, client, lateness, exporters,
// metrics; all if none is named.

#include "benchmarks/timers/figures.hpp"
#include "gnomon/module.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace gnomon::benchmarks {

namespace {

int run(const plan& what, const std::vector<std::string_view>& names) {
  const auto is_asked_for = [&](std::string_view name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  };
  const scratch_directory scratch{what.directory};
  figure_table table;
  if (is_asked_for("pending"))
    measure_pending(table, what);
  if (is_asked_for("create"))
    measure_create(table, what);
  if (is_asked_for("burst"))
    measure_burst(table, what);
  if (is_asked_for("jobs"))
    measure_jobs(table, what);
  if (is_asked_for("client"))
    measure_one_client(table, what);
  if (is_asked_for("lateness"))
    measure_lateness(table, what);
  if (is_asked_for("exporters"))
    measure_exporters(table, what);
  if (is_asked_for("metrics"))
    measure_metrics(table, what);
  return table.status();
}

} // namespace

} // namespace gnomon::benchmarks

int main(int argc, char** argv) {
  gnomon::benchmarks::plan what;
  std::vector<std::string_view> names;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick")
      what.quick = true;
    else if (argument == "--directory" && i + 1 < argc)
      what.directory = std::filesystem::path{argv[++i]} / "timers-benchmark";
    else
      names.push_back(argument);
  }
  gnomon::module::init_global_meta_objects();
  return gnomon::benchmarks::run(what, names);
}
