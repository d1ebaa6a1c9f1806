#include "report.hpp"

#include <algorithm>
#include <gnomon/recurrence.hpp>
#include <iomanip>
#include <ostream>
#include <set>

namespace reminders {

namespace {

/// What is due so shortly before the end need not have happened.
constexpr gnomon::duration end_grace{1'500};

/// Due dates by the numbers of their occurrences.
using due_dates = std::map<std::uint64_t, gnomon::timestamp>;

/// Computes what `what` asks for until `by`, and one more.
due_dates compute_due_dates(const entry& what, gnomon::timestamp accepted,
                            gnomon::timestamp by) {
  due_dates result;
  const auto rule = gnomon::recurrence::parse(what.when, {}, accepted);
  if (!rule)
    return result;
  for (auto next = rule->first(); next; next = rule->next(*next)) {
    result[next->number] = next->due;
    if (next->due > by)
      break;
  }
  return result;
}

/// Returns the last instant that the report has to know of.
gnomon::timestamp end_of(const entry_history& of, gnomon::timestamp by) {
  for (const auto& [number, at] : of.triggered)
    by = std::max(by, at);
  return by;
}

bool is_skipped(const entry_history& of, std::uint64_t number) {
  auto run = of.skipped.upper_bound(number);
  if (run == of.skipped.begin())
    return false;
  --run;
  return number - run->first < run->second;
}

/// Compares one entry with its history and adds to the report.
class entry_judge {
public:
  entry_judge(report& to, const history& seen, const entry& what,
              const entry_history& of, std::vector<std::int64_t>& lateness_ms)
    : to_(to), seen_(seen), of_(of), lateness_ms_(lateness_ms) {
    result_.what = what;
  }

  void judge(gnomon::timestamp by) {
    const auto due
      = compute_due_dates(result_.what, of_.accepted, end_of(of_, by));
    if (of_.times_created != 1)
      violate(to_.duplicated, "was created again");
    for (std::size_t i = 0; i < of_.triggered_again; ++i)
      violate(to_.duplicated, "was triggered again");
    for (const auto& [number, at] : due)
      if (at <= by)
        judge_expected(number);
    for (const auto& [number, at] : of_.triggered)
      judge_triggered(number, at, due);
    for (const auto& [first, count] : of_.skipped)
      to_.skipped += count;
    to_.occurrences += result_.expected;
    to_.triggered += result_.triggered;
    to_.delivered += result_.delivered;
    to_.entries.push_back(std::move(result_));
  }

private:
  void violate(std::uint64_t& counter, const std::string& what) {
    ++counter;
    to_.violations.push_back("line " + std::to_string(result_.what.line) + " ("
                             + result_.what.when + ") " + what);
  }

  void judge_expected(std::uint64_t number) {
    ++result_.expected;
    const auto name = "occurrence " + std::to_string(number);
    const auto is_triggered = of_.triggered.contains(number);
    if (!is_triggered && !is_skipped(of_, number))
      violate(to_.lost, name + " was neither triggered nor skipped");
    else if (is_triggered && !seen_.delivered.contains({of_.key, number}))
      violate(to_.lost, name + " was triggered, but never delivered");
  }

  void judge_triggered(std::uint64_t number, gnomon::timestamp at,
                       const due_dates& due) {
    ++result_.triggered;
    const auto name = "occurrence " + std::to_string(number);
    if (is_skipped(of_, number))
      violate(to_.duplicated, name + " was both triggered and skipped");
    if (const auto found = due.find(number); found == due.end())
      violate(to_.duplicated, name + " is not part of the schedule");
    else if (at < found->second)
      violate(to_.early, name + " was triggered before it was due");
    else
      note_lateness((at - std::max(found->second, of_.accepted)).count());
    if (const auto jobs = seen_.delivered.find({of_.key, number});
        jobs != seen_.delivered.end())
      judge_jobs(name, jobs->second);
  }

  void judge_jobs(const std::string& name,
                  const std::map<std::uint64_t, std::size_t>& jobs) {
    ++result_.delivered;
    if (jobs.size() != 1)
      violate(to_.duplicated, name + " made more than one job");
    for (const auto& [job, times] : jobs)
      to_.redelivered += times - 1;
  }

  /// What was due before its command was accepted could not be sooner than
  /// that, so its lateness counts from there.
  void note_lateness(std::int64_t late_ms) {
    result_.worst_lateness_ms = std::max(result_.worst_lateness_ms, late_ms);
    lateness_ms_.push_back(late_ms);
  }

  report& to_;
  const history& seen_;
  const entry_history& of_;
  std::vector<std::int64_t>& lateness_ms_;
  entry_report result_;
};

/// A worker must not see what a crash could take back.
void judge_deliveries(report& to, const history& seen) {
  std::set<occurrence_id> triggered;
  for (const auto& [name, entry] : seen.entries)
    for (const auto& [number, at] : entry.triggered)
      triggered.emplace(entry.key, number);
  for (const auto& [which, jobs] : seen.delivered)
    if (!triggered.contains(which)) {
      ++to.early;
      to.violations.push_back("occurrence " + std::to_string(which.second)
                              + " of timer " + std::to_string(which.first)
                              + " was delivered, but not triggered");
    }
}

std::int64_t p99(std::vector<std::int64_t> values) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[(values.size() - 1) * 99 / 100];
}

void print_row(std::ostream& to, const entry_report& row) {
  to << std::left << std::setw(30)
     << (row.what.when + " " + row.what.target).substr(0, 29) << std::right
     << std::setw(10) << row.expected << std::setw(11) << row.triggered
     << std::setw(11) << row.delivered << std::setw(12) << row.worst_lateness_ms
     << '\n';
}

} // namespace

report judge(const schedule& what, const history& seen,
             const run_outcome& run) {
  report result;
  result.scheduled = seen.entries.size();
  result.kills = run.kills;
  std::vector<std::int64_t> lateness_ms;
  for (const auto& entry : what.entries) {
    const auto found = seen.entries.find(name_of(entry));
    if (found == seen.entries.end()) {
      ++result.lost;
      result.violations.push_back(name_of(entry) + " was not created");
    } else {
      entry_judge{result, seen, entry, found->second, lateness_ms}.judge(
        run.stopped + -end_grace);
    }
  }
  judge_deliveries(result, seen);
  result.lateness_p99_ms = p99(std::move(lateness_ms));
  return result;
}

void print(std::ostream& to, const report& what) {
  to << std::left << std::setw(30) << "entry" << std::right << std::setw(10)
     << "expected" << std::setw(11) << "triggered" << std::setw(11)
     << "delivered" << std::setw(12) << "worst ms\n";
  for (const auto& row : what.entries)
    print_row(to, row);
  for (const auto& violation : what.violations)
    to << "wrong: " << violation << '\n';
  to << "\nsummary scheduled=" << what.scheduled
     << " occurrences=" << what.occurrences << " triggered=" << what.triggered
     << " skipped=" << what.skipped << " delivered=" << what.delivered
     << " redelivered=" << what.redelivered << " lost=" << what.lost
     << " duplicated=" << what.duplicated << " early=" << what.early
     << " lateness_p99_ms=" << what.lateness_p99_ms << " kills=" << what.kills
     << std::endl;
}

} // namespace reminders
