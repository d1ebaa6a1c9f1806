#include "tools/command_line.hpp"

#include "tools/backup.hpp"
#include "tools/incidents.hpp"
#include "tools/jobs.hpp"
#include "tools/log.hpp"
#include "tools/next.hpp"
#include "tools/restore.hpp"
#include "tools/snapshot.hpp"
#include "tools/status.hpp"
#include "tools/timers.hpp"
#include "tools/top.hpp"
#include "tools/verify.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <ostream>

namespace gnomon::tools {

namespace {

constexpr auto next_footer = R"(Expressions:
  2024-01-31T10:00:00+01:00[Europe/Berlin]     a date
  PT1H  P1M  P1DT12H                           an ISO 8601 duration
  3d  1h30m  250ms                             a short duration
  R5/2024-01-31T10:00:00Z/P1M                  a repeating interval
  "0 30 2 * * MON-FRI"  @daily                 cron, seconds first

Exit status: 0, or 2 if the expression is not understood.)";

constexpr auto tool_footer
  = R"(The commands that read work while a partition is running, without
disturbing it. Each command has a --help of its own.

Exit status: 0 success, 1 failure, 2 bad input, 3 in use, 10 and up damage, see
gnomon verify --help.)";

/// The requests that the options write to, and the command that was chosen.
struct command_line {
  const command_context& context;
  std::function<int()> chosen = {};
  next_request next = {};
  partition_selection status = {};
  timers_request timers = {};
  jobs_request jobs = {};
  incidents_request incidents = {};
  log_request log = {};
  partition_selection verify = {};
  partition_selection snapshot = {};
  backup_request backup = {};
  restore_request restore = {};
  top_request top = {};
};

template <class Request>
CLI::App& add(CLI::App& app, command_line& line, const char* name,
              const char* purpose, Request& request,
              int (*run)(const Request&, const command_context&)) {
  auto* added = app.add_subcommand(name, purpose);
  added->callback([&line, &request, run] {
    line.chosen = [&line, &request, run] {
      return run(request, line.context);
    };
  });
  return *added;
}

enum class reads_state : bool { no, yes };

void add_selection(CLI::App& to, partition_selection& which,
                   reads_state state) {
  to.add_option("DIR", which.directory,
                "Folder of all partitions, or a partition's own")
    ->required();
  to.add_option("--partition", which.partition, "Only this one")
    ->check(CLI::Range(1, static_cast<int>(partition_id::max)));
  to.add_flag("--json", which.as_json, "Print JSON");
  if (state == reads_state::yes)
    to.add_option("--scratch", which.scratch,
                  "Folder for copies that are thrown away, on a local disk")
      ->check(CLI::ExistingDirectory);
}

void add_limit(CLI::App& to, std::uint64_t& limit) {
  to.add_option("--limit", limit, "At most so many of each partition; 0: all")
    ->capture_default_str();
}

void add_next(CLI::App& app, command_line& line) {
  auto& request = line.next;
  auto* next = app.add_subcommand("next", "Print when an expression is due");
  next->add_option("expression", request.expression, "What to look at")
    ->required();
  next
    ->add_option("--zone", request.zone,
                 "Zone of expressions that name none, or an offset")
    ->capture_default_str();
  next->add_option("--from", request.from,
                   "RFC 3339 date to start at (default: now)");
  next->add_flag("--cron5", request.cron_five_fields,
                 "Read cron with five fields, minutes first");
  next->add_option("-n", request.count, "How many due dates to print")
    ->check(CLI::Range(1, 1'000'000))
    ->capture_default_str();
  next->footer(next_footer);
  next->callback([&line] {
    line.chosen = [&line] {
      return run_next(line.next, line.context.time.wall(), line.context.out,
                      line.context.errors);
    };
  });
}

void add_lists(CLI::App& app, command_line& line) {
  auto& status = add(app, line, "status", "Print how partitions are",
                     line.status, &run_status);
  add_selection(status, line.status, reads_state::yes);
  auto& timers = add(app, line, "timers",
                     "List the timers that wait, in the order of "
                     "their creation",
                     line.timers, &run_timers);
  add_selection(timers, line.timers.which, reads_state::yes);
  timers.add_option("--target", line.timers.target, "Only with this target");
  timers.add_flag("--overdue", line.timers.overdue, "Only those due by now");
  add_limit(timers, line.timers.limit);
  auto& jobs = add(app, line, "jobs", "List the jobs, oldest first", line.jobs,
                   &run_jobs);
  add_selection(jobs, line.jobs.which, reads_state::yes);
  jobs.add_option("--type", line.jobs.type, "Only of this type");
  add_limit(jobs, line.jobs.limit);
  auto& incidents
    = add(app, line, "incidents", "List what somebody must look at",
          line.incidents, &run_incidents);
  add_selection(incidents, line.incidents.which, reads_state::yes);
  add_limit(incidents, line.incidents.limit);
}

void add_log(CLI::App& app, command_line& line) {
  auto& log
    = add(app, line, "log", "Print the records of the log", line.log, &run_log);
  add_selection(log, line.log.which, reads_state::no);
  log.add_option("--from", line.log.from, "Position to begin at");
  log.add_option("--type", line.log.type,
                 "Only this value type, e.g., timer, or its number");
  log.add_option("--key", line.log.key, "Only about this key");
  log.add_option("--limit", line.log.limit, "End after so many records");
  log.add_flag("--follow", line.log.follow,
               "Wait for more at the end; needs one partition");
}

void add_top(CLI::App& app, command_line& line) {
  auto& top = add(app, line, "top", "Show the waiting room, again and again",
                  line.top, &run_top);
  add_selection(top, line.top.which, reads_state::yes);
  top.add_flag("--once", line.top.once, "Print one screen and end");
  top
    .add_option("--interval", line.top.interval_seconds,
                "Seconds between two screens")
    ->check(CLI::Range(1, 3600))
    ->capture_default_str();
  top.add_option("--screens", line.top.screens_max, "End after so many");
}

void add_operations(CLI::App& app, command_line& line) {
  auto& verify = add(app, line, "verify",
                     "Verify log, snapshots and state, and say what is damaged",
                     line.verify, &run_verify);
  add_selection(verify, line.verify, reads_state::yes);
  verify.footer(exit_status_help);
  auto& snapshot = add(app, line, "snapshot",
                       "Take a snapshot of partitions that are not running",
                       line.snapshot, &run_snapshot);
  add_selection(snapshot, line.snapshot, reads_state::no);
  auto& backup = add(app, line, "backup",
                     "Copy partitions into one file, also of those "
                     "that are running",
                     line.backup, &run_backup);
  add_selection(backup, line.backup.which, reads_state::no);
  backup.add_option("FILE", line.backup.file, "Archive to make")->required();
  auto& restore = add(app, line, "restore",
                      "Make partitions from a backup, after "
                      "verifying it",
                      line.restore, &run_restore);
  restore.add_option("FILE", line.restore.file, "Archive to read")
    ->required()
    ->check(CLI::ExistingFile);
  restore
    .add_option("DIR", line.restore.directory,
                "Folder of all partitions to make; missing or empty")
    ->required();
  restore.add_flag("--json", line.restore.as_json, "Print JSON");
}

} // namespace

int run_command_line(int argc, const char* const* argv,
                     const command_context& context) {
  CLI::App app{"Looks at durable timers and what they are made of.", "gnomon"};
  app.set_version_flag("--version", std::string{"gnomon "} + GNOMON_VERSION);
  app.require_subcommand(1);
  app.footer(tool_footer);
  command_line line{context};
  add_next(app, line);
  add_lists(app, line);
  add_log(app, line);
  add_top(app, line);
  add_operations(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& what) {
    return app.exit(what, context.out, context.errors) == 0 ? exit_success
                                                            : exit_bad_input;
  }
  return line.chosen();
}

} // namespace gnomon::tools
