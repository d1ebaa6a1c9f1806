// Reminders: a schedule file becomes durable timers; `demo` kills the service
// every now and then, and proves from its log that nothing was lost.

#include <CLI/CLI.hpp>

#include "history.hpp"
#include "report.hpp"
#include "schedule_file.hpp"
#include "service.hpp"
#include "supervisor.hpp"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnomon/clock.hpp>
#include <iostream>

namespace {

using namespace reminders;

schedule load(const std::string& file) {
  std::ifstream in{file};
  return read_schedule(in, gnomon::system_clock().wall());
}

void print_faults(const std::string& file, const schedule& what) {
  for (const auto& bad : what.faults)
    std::cout << file << ':' << bad.line << ':' << bad.column << ": "
              << bad.reason << '\n';
}

std::string fresh_directory() {
  auto name
    = (std::filesystem::temp_directory_path() / "reminders-XXXXXX").string();
  return ::mkdtemp(name.data()) != nullptr ? name : std::string{};
}

/// The report is about one run: it cannot tell it from earlier ones.
bool is_fresh(const std::filesystem::path& data) {
  std::error_code failed;
  std::filesystem::create_directories(data, failed);
  const auto is_empty = std::filesystem::is_empty(data, failed);
  return !failed && is_empty;
}

int fail(const gnomon::error& why) {
  std::cerr << to_string(why) << '\n';
  return 1;
}

int demo(std::string data, const std::string& file, int seconds, int kills) {
  if (data.empty())
    data = fresh_directory();
  if (!is_fresh(data)) {
    std::cerr << "expected a directory that is empty or new, but found \""
              << data << "\"\n";
    return 1;
  }
  const auto what = load(file);
  std::cout << "schedule " << file << ": " << what.entries.size()
            << " entries, " << what.faults.size() << " bad lines\n";
  print_faults(file, what);
  std::cout << "data in " << data << "; running for " << seconds << " s with "
            << kills << " kills\n";
  const auto run = supervise(data, file, seconds, kills);
  if (!run)
    return fail(run.error());
  const auto seen = read_history(data);
  if (!seen)
    return fail(seen.error());
  std::cout << '\n';
  const auto result = judge(what, *seen, *run);
  print(std::cout, result);
  if (!run->ended_well)
    std::cerr << "a process ended by itself, or the last one not well\n";
  return result.is_right() && run->ended_well ? 0 : 1;
}

int run(const std::string& data, const std::string& file, bool is_quiet) {
  const auto what = load(file);
  if (!is_quiet)
    print_faults(file, what);
  return serve(data, what);
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app{"Durable reminders from a schedule file."};
  app.require_subcommand(1);
  std::string file = REMINDERS_SCHEDULE;
  std::string data;
  int seconds = 20;
  int kills = 4;
  auto* demo_command = app.add_subcommand(
    "demo", "run for a while, be killed, and check the log afterwards");
  demo_command->add_option("--data", data, "fresh directory");
  demo_command->add_option("--seconds", seconds, "how long to run")
    ->check(CLI::Range(5, 3600));
  demo_command->add_option("--kills", kills, "how often to be killed")
    ->check(CLI::Range(0, 1000));
  demo_command->add_option("file", file, "schedule file")
    ->check(CLI::ExistingFile);
  auto* run_command = app.add_subcommand("run", "run until SIGTERM");
  run_command->add_option("--data", data, "directory")->required();
  bool is_quiet = false;
  run_command->add_flag("--quiet", is_quiet, "do not report bad lines");
  run_command->add_option("file", file, "schedule file")
    ->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);
  return *demo_command ? demo(data, file, seconds, kills)
                       : run(data, file, is_quiet);
}
