#include "tools/status.hpp"

#include "jobs/incident_state.hpp"
#include "jobs/job_queries.hpp"
#include "storage/snapshot_store.hpp"
#include "storage/system_file_system.hpp"
#include "timers/timer_queries.hpp"

#include "inspection/log_access.hpp"
#include <ostream>

namespace gnomon::tools {

namespace {

constexpr std::size_t visits_max = 1'000'000;

/// Everything that is printed about one partition.
struct partition_status {
  bool is_running = false;
  inspection::log_outline log;
  position known_durable;
  std::vector<position> snapshots;
  std::optional<timestamp> last_record;
  timers::waiting_room_view room;
  jobs::job_counts jobs;
  std::uint64_t incidents = 0;
};

result<partition_status> look(const shown_state& state,
                              const command_context& context) {
  partition_status found;
  const auto running = storage::is_locked(state.folder.lock_file());
  if (!running)
    return running.error();
  found.is_running = *running;
  auto log = inspection::outline_log(context.files, state.folder);
  if (!log)
    return log.error();
  found.log = std::move(*log);
  const auto durable = inspection::known_durable(context.files, state.folder,
                                                 state.identity.log);
  if (!durable)
    return durable.error();
  found.known_durable = *durable;
  storage::snapshot_store snapshots{
    context.files, state.folder.snapshots_directory(), state.identity.log};
  auto all = snapshots.list();
  if (!all)
    return all.error();
  found.snapshots = std::move(*all);
  if (state.view.book.last_applied)
    found.last_record = state.view.book.partition_time;
  const auto& reader = *state.view.reader;
  found.room = timers::waiting_room(reader, state.now, visits_max);
  found.jobs = jobs::count_jobs(reader, visits_max);
  found.incidents = reader.count(jobs::incident_family);
  return found;
}

json to_json(const shown_state& state, const partition_status& found) {
  auto object = heading_as_json(state);
  object["partition_count"] = state.identity.partition_count;
  object["directory"] = state.folder.location.string();
  object["running"] = found.is_running;
  object["known_durable"] = found.known_durable.value;
  object["last_record_at"] = time_as_json(found.last_record);
  object["log"]
    = {{"first_position",
        found.log.segments.empty() ? 0 : found.log.segments.front().value},
       {"segments", found.log.segments.size()},
       {"file_bytes", found.log.file_bytes}};
  object["snapshots"] = json::array();
  for (const auto at : found.snapshots)
    object["snapshots"].push_back(at.value);
  object["timers"]
    = {{"waiting", found.room.timers},
       {"overdue", found.room.all.overdue},
       {"oldest_overdue", time_as_json(found.room.oldest_overdue)},
       {"next_due", time_as_json(found.room.next_due)},
       {"cut", found.room.cut}};
  object["jobs"] = {{"all", found.jobs.jobs},
                    {"available", found.jobs.available},
                    {"activated", found.jobs.activated},
                    {"backing_off", found.jobs.backing_off},
                    {"failed", found.jobs.failed}};
  object["incidents"] = found.incidents;
  return object;
}

std::string due_line(const std::optional<timestamp>& when, timestamp now) {
  return when ? to_text(when) + " (" + to_words(*when, now) + ")" : "-";
}

void print(const shown_state& state, const partition_status& found,
           std::ostream& out) {
  const auto line = [&](const char* name, const std::string& what) {
    out << "  " << name << std::string(16 - columns_of(name), ' ') << what
        << '\n';
  };
  const auto number = [](std::uint64_t n) {
    return std::to_string(n);
  };
  out << heading(state);
  line("folder", printable(state.folder.location.string()));
  line("running", found.is_running ? "yes" : "no");
  line("durable",
       "at least up to position " + number(found.known_durable.value));
  line("last record", due_line(found.last_record, state.now));
  line("log",
       number(found.log.segments.size()) + " segments from position "
         + number(found.log.segments.empty() ? 0
                                             : found.log.segments.front().value)
         + ", " + bytes_in_words(found.log.file_bytes) + " on disk");
  line("snapshots", found.snapshots.empty()
                      ? "none"
                      : number(found.snapshots.size())
                          + ", the newest at position "
                          + number(found.snapshots.back().value));
  line("timers", number(found.room.timers) + " waiting, "
                   + (found.room.cut ? "at least " : "")
                   + number(found.room.all.overdue) + " overdue");
  line("oldest overdue", due_line(found.room.oldest_overdue, state.now));
  line("next due", due_line(found.room.next_due, state.now));
  line("jobs", number(found.jobs.available) + " available, "
                 + number(found.jobs.activated) + " activated, "
                 + number(found.jobs.backing_off) + " backing off, "
                 + number(found.jobs.failed) + " failed");
  line("incidents", number(found.incidents));
}

} // namespace

int run_status(const partition_selection& request,
               const command_context& context) {
  json all = json::array();
  const auto status
    = show_states(context, request, [&](const shown_state& state) {
        const auto found = look(state, context);
        if (!found)
          return result<void>{found.error()};
        if (request.as_json)
          all.push_back(to_json(state, *found));
        else
          print(state, *found, context.out);
        return result<void>{};
      });
  if (request.as_json)
    print_json({{"partitions", all}}, context.out);
  return status;
}

} // namespace gnomon::tools
