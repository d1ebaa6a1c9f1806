#include "tools/top.hpp"

#include "jobs/job_queries.hpp"
#include "timers/timer_queries.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <sstream>
#include <thread>

namespace gnomon::tools {

namespace {

using timers::horizons;

constexpr std::size_t visits_max = 1'000'000;
constexpr std::size_t targets_max = 20;
constexpr const char* clear_screen = "\x1b[H\x1b[2J";

/// What is known of one partition.
struct room {
  partition_id id;
  position at;
  bool was_rebuilt = false;
  timers::waiting_room_view timers;
  jobs::job_counts jobs;
};

std::vector<std::string> cells(std::string name, std::uint64_t all,
                               const horizons& by) {
  std::vector<std::string> row{std::move(name)};
  for (const auto count : {all, by.overdue, by.within_minute, by.within_hour,
                           by.within_day, by.within_30_days, by.later})
    row.push_back(std::to_string(count));
  return row;
}

std::uint64_t sum(const horizons& by) {
  return by.overdue + by.within_minute + by.within_hour + by.within_day
         + by.within_30_days + by.later;
}

void add(horizons& to, const horizons& more) {
  to.overdue += more.overdue;
  to.within_minute += more.within_minute;
  to.within_hour += more.within_hour;
  to.within_day += more.within_day;
  to.within_30_days += more.within_30_days;
  to.later += more.later;
}

const std::vector<std::string> horizon_titles{
  ">WAITING", ">OVERDUE", ">1 MIN", ">1 H", ">1 DAY", ">30 DAYS", ">LATER"};

std::vector<std::string> titles(const std::string& first) {
  std::vector<std::string> all{first};
  all.insert(all.end(), horizon_titles.begin(), horizon_titles.end());
  return all;
}

void print_partitions(const std::vector<room>& rooms, std::ostream& out) {
  text_table waiting{titles("PARTITION")};
  text_table rest{{"PARTITION", ">POSITION", "OLDEST OVERDUE", "NEXT DUE",
                   ">JOBS", ">ACTIVATED", ">BACKING OFF", ">FAILED"}};
  for (const auto& each : rooms) {
    const auto& timers = each.timers;
    const auto name = std::to_string(each.id.value);
    waiting.add(
      cells(name + (timers.cut ? " (cut)" : ""), timers.timers, timers.all));
    const auto when = [&](const std::optional<timestamp>& due) {
      return due ? to_words(*due, timers.now) : "-";
    };
    rest.add({name + (each.was_rebuilt ? " (made anew)" : ""),
              std::to_string(each.at.value), when(timers.oldest_overdue),
              when(timers.next_due), std::to_string(each.jobs.jobs),
              std::to_string(each.jobs.activated),
              std::to_string(each.jobs.backing_off),
              std::to_string(each.jobs.failed)});
  }
  waiting.print(out);
  out << '\n';
  rest.print(out);
}

void print_targets(const std::vector<room>& rooms, std::ostream& out) {
  std::map<std::string, horizons> by_target;
  for (const auto& each : rooms)
    for (const auto& [target, counts] : each.timers.by_target)
      add(by_target[target], counts);
  std::vector<std::pair<std::string, horizons>> sorted(by_target.begin(),
                                                       by_target.end());
  std::ranges::stable_sort(sorted, std::greater<>{},
                           [](const auto& each) { return sum(each.second); });
  text_table table{titles("TARGET")};
  for (const auto& [target, counts] : sorted) {
    table.add(cells(target.empty() ? "(none)" : printable(target), sum(counts),
                    counts));
    if (&target == &sorted[std::min(sorted.size(), targets_max) - 1].first)
      break;
  }
  if (table.empty())
    return;
  out << '\n';
  table.print(out);
}

void print_text(const std::vector<room>& rooms, timestamp now,
                std::ostream& out) {
  out << "gnomon top, " << to_text(now)
      << "; positions may precede their durability\n\n";
  print_partitions(rooms, out);
  print_targets(rooms, out);
}

json to_json(const horizons& by) {
  return {{"overdue", by.overdue},
          {"within_minute", by.within_minute},
          {"within_hour", by.within_hour},
          {"within_day", by.within_day},
          {"within_30_days", by.within_30_days},
          {"later", by.later}};
}

json to_json(const std::vector<room>& rooms, timestamp now) {
  json partitions = json::array();
  for (const auto& each : rooms) {
    json targets = json::object();
    for (const auto& [target, counts] : each.timers.by_target)
      targets[target] = to_json(counts);
    partitions.push_back(
      {{"partition", each.id.value},
       {"position", each.at.value},
       {"may_precede_durability", true},
       {"waiting", each.timers.timers},
       {"horizons", to_json(each.timers.all)},
       {"oldest_overdue", time_as_json(each.timers.oldest_overdue)},
       {"next_due", time_as_json(each.timers.next_due)},
       {"cut", each.timers.cut},
       {"targets", targets},
       {"jobs", each.jobs.jobs}});
  }
  return {{"now", to_text(now)}, {"partitions", partitions}};
}

/// Prints one screen, in one piece so that it does not flicker.
int print_screen(const top_request& request, const command_context& context) {
  std::vector<room> rooms;
  const auto status
    = show_states(context, request.which, [&](const shown_state& state) {
        const auto& reader = *state.view.reader;
        rooms.push_back({state.folder.id, state.view.book.last_applied,
                         !state.rebuilt_because.empty(),
                         timers::waiting_room(reader, state.now, visits_max),
                         jobs::count_jobs(reader, visits_max)});
        return result<void>{};
      });
  std::ostringstream screen;
  const auto now = context.time.wall();
  if (request.which.as_json) {
    print_json(to_json(rooms, now), screen, !request.once);
  } else {
    if (context.on_terminal && !request.once)
      screen << clear_screen;
    print_text(rooms, now, screen);
  }
  context.out << screen.str() << std::flush;
  return status;
}

} // namespace

int run_top(const top_request& request, const command_context& context) {
  for (std::uint64_t printed = 1;; ++printed) {
    const auto status = print_screen(request, context);
    const auto is_last
      = request.once
        || (request.screens_max != 0 && printed == request.screens_max);
    // A partition may be opening just now; the next screen shows it.
    if (is_last || status == exit_bad_input || !context.out)
      return status;
    std::this_thread::sleep_for(std::chrono::seconds{request.interval_seconds});
  }
}

} // namespace gnomon::tools
