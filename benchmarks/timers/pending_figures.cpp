#include "benchmarks/timers/application.hpp"
#include "benchmarks/timers/figures.hpp"
#include "gnomon/check.hpp"

#include <algorithm>
#include <csignal>
#include <malloc.h>
#include <optional>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gnomon::benchmarks {

namespace {

constexpr duration overdue_after{400};

/// Heap of this process; LMDB's map is none of it.
double heap_mb() {
  const auto now = ::mallinfo2();
  return static_cast<double>(now.uordblks + now.hblkhd) / (1 << 20);
}

double cpu_seconds() {
  rusage now{};
  ::getrusage(RUSAGE_SELF, &now);
  const auto seconds = [](const timeval& from) {
    return static_cast<double>(from.tv_sec)
           + static_cast<double>(from.tv_usec) * 1e-6;
  };
  return seconds(now.ru_utime) + seconds(now.ru_stime);
}

/// Returns the share of a core that this process takes, in percent.
double cpu_percent(std::chrono::seconds over) {
  std::this_thread::sleep_for(std::chrono::seconds{2});
  const auto before = cpu_seconds();
  const auto start = steady::now();
  std::this_thread::sleep_for(over);
  return 100 * (cpu_seconds() - before) / seconds_since(start);
}

double disk_bytes(const std::filesystem::path& name) {
  struct stat found {};
  GNOMON_CHECK(::stat(name.c_str(), &found) == 0);
  return static_cast<double>(found.st_blocks) * 512;
}

partition_options options_for(const std::filesystem::path& directory) {
  // Without snapshots, a rebuild has to read the whole log.
  return {.directory = directory, .snapshot_log_bytes = 0};
}

/// What the killed process tells about itself. Plain value.
struct last_words {
  std::uint64_t overdue_key = 0;
  double heap_mb = 0;
};

/// The process that is killed. Never returns.
[[noreturn]] void fill_and_wait(const plan& what,
                                const std::filesystem::path& directory,
                                int tell) {
  application app;
  app.open(options_for(directory));
  app.submit_all(creations(what.timers(),
                           system_clock().wall() + std::chrono::hours{1},
                           spread),
                 40);
  ::malloc_trim(0);
  last_words words;
  words.heap_mb = heap_mb();
  words.overdue_key
    = app.create(plain_timer(system_clock().wall() + overdue_after)).value;
  GNOMON_CHECK(::write(tell, &words, sizeof words) == sizeof words);
  for (;;)
    ::pause();
}

/// Leaves a partition with many timers behind, whose process was killed; one of
/// the timers is overdue.
last_words leave_behind(const plan& what,
                        const std::filesystem::path& directory) {
  int ends[2];
  GNOMON_CHECK(::pipe(ends) == 0);
  const auto child = ::fork();
  GNOMON_CHECK(child >= 0);
  if (child == 0)
    fill_and_wait(what, directory, ends[1]);
  ::close(ends[1]);
  last_words words;
  const auto got = ::read(ends[0], &words, sizeof words);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  if (got != sizeof words)
    give_up("the process that fills the partition has ended");
  std::this_thread::sleep_for(overdue_after);
  return words;
}

/// Opens the partition and returns the seconds until `overdue` has triggered.
double run_restart(application& app, const std::filesystem::path& directory,
                   key overdue) {
  const auto start = steady::now();
  app.open(options_for(directory));
  v1::Query question;
  question.mutable_describe_timer()->set_key(overdue.value);
  while (app.ask(question).describe_timer().key() != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  return seconds_since(start);
}

/// The same without the state, which is rebuilt from the log.
double run_rebuild(application& app, const std::filesystem::path& directory) {
  const auto overdue
    = app.create(plain_timer(system_clock().wall() + overdue_after));
  app.close();
  std::filesystem::remove_all(directory / "partition-00001/state");
  std::filesystem::remove(directory / "partition-00001/stamp");
  std::this_thread::sleep_for(overdue_after);
  return run_restart(app, directory, overdue);
}

void print_open(figure_table& table, const plan& what,
                const std::filesystem::path& directory, application& app,
                const last_words& words) {
  const auto name = what.timers_name() + " waiting: ";
  const auto restart = run_restart(app, directory, {words.overdue_key});
  table.at_most(name + "trigger of the overdue after kill -9", restart * 1e3,
                500, "ms");
  table.at_most(name + "heap after creating", words.heap_mb, 64, "MB");
  table.at_most(name + "heap after a restart", heap_mb(), 64, "MB");
  const auto bytes = disk_bytes(directory / "partition-00001/state/data.mdb");
  table.at_most(name + "state on disk per timer",
                bytes / static_cast<double>(what.timers()), 300, "bytes");
}

} // namespace

void measure_pending(figure_table& table, const plan& what) {
  const scratch_directory scratch{what.directory / "pending"};
  const auto words = leave_behind(what, scratch.path());
  const std::chrono::seconds idle{what.quick ? 10 : 20};
  const auto name = what.timers_name() + " waiting: ";
  auto app = std::make_unique<application>();
  print_open(table, what, scratch.path(), *app, words);
  const auto with = cpu_percent(idle);
  table.show(name + "first trigger, state rebuilt from the log",
             run_rebuild(*app, scratch.path()) * 1e3, "ms");
  app->close();
  app = nullptr;
  app = std::make_unique<application>();
  const auto without = cpu_percent(idle);
  table.show("processor, actor system alone, of a core", without, "%");
  table.at_most(name + "processor beyond it, of a core",
                std::max(with - without, 0.0), 0.1, "%");
}

} // namespace gnomon::benchmarks
