#include "report.hpp"

#include <algorithm>
#include <gnomon/recurrence.hpp>
#include <iomanip>
#include <iostream>

namespace reminders {

namespace {

/// What is due so shortly before the end need not have happened.
constexpr gnomon::duration end_grace{1'500};

/// Sums of the whole report.
struct totals {
  std::uint64_t occurrences = 0;
  std::uint64_t triggered = 0;
  std::uint64_t skipped = 0;
  std::uint64_t delivered = 0;
  std::uint64_t redelivered = 0;
  std::uint64_t lost = 0;
  std::vector<std::int64_t> lateness_ms;
};

/// One row of the table.
struct row {
  std::uint64_t expected = 0;
  std::uint64_t delivered = 0;
  std::int64_t lateness_ms = 0;
};

std::vector<std::uint64_t> expected_numbers(const entry_history& of,
                                            gnomon::timestamp by) {
  if (of.expression.empty())
    return of.first_due <= by ? std::vector<std::uint64_t>{1}
                              : std::vector<std::uint64_t>{};
  std::vector<std::uint64_t> result;
  const auto rule = gnomon::recurrence::parse(of.expression, {}, of.anchor);
  if (!rule)
    return result;
  for (auto next = rule->first(); next && next->due <= by;
       next = rule->next(*next))
    result.push_back(next->number);
  return result;
}

bool is_skipped(const entry_history& of, std::uint64_t number) {
  auto run = of.skipped.upper_bound(number);
  if (run == of.skipped.begin())
    return false;
  --run;
  return number < run->first + run->second;
}

/// An occurrence is lost if it should have been triggered and was not, or was
/// triggered and never came to a worker.
bool is_lost(const entry_history& of, const history& seen,
             std::uint64_t number) {
  if (is_skipped(of, number))
    return false;
  return !of.triggered.contains(number)
         || !seen.delivered.contains({of.key, number});
}

row add_up(const entry_history& of, const history& seen, gnomon::timestamp by,
           totals& sums) {
  row result;
  const auto expected = expected_numbers(of, by);
  result.expected = expected.size();
  sums.occurrences += expected.size();
  for (auto number : expected)
    sums.lost += is_lost(of, seen, number) ? 1 : 0;
  for (const auto& [number, at] : of.triggered) {
    // What was due before its timer was created could not be sooner.
    const auto late = (at - std::max(of.due.at(number), of.created)).count();
    sums.lateness_ms.push_back(late);
    result.lateness_ms = std::max(result.lateness_ms, late);
    const auto times = seen.delivered.find({of.key, number});
    if (times == seen.delivered.end())
      continue;
    ++result.delivered;
    sums.redelivered += times->second - 1;
  }
  sums.triggered += of.triggered.size();
  sums.delivered += result.delivered;
  for (const auto& [first, count] : of.skipped)
    sums.skipped += count;
  return result;
}

std::int64_t p99(std::vector<std::int64_t> values) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[(values.size() - 1) * 99 / 100];
}

void print_row(std::ostream& to, const entry& what, const entry_history& of,
               const row& counts) {
  to << std::left << std::setw(30)
     << (what.when + " " + what.target).substr(0, 29) << std::right
     << std::setw(10) << counts.expected << std::setw(11) << of.triggered.size()
     << std::setw(11) << counts.delivered << std::setw(12) << counts.lateness_ms
     << '\n';
}

} // namespace

bool print_report(std::ostream& to, const schedule& what, const history& seen,
                  const run_outcome& run) {
  const auto by = run.stopped + -end_grace;
  totals sums;
  to << std::left << std::setw(30) << "entry" << std::right << std::setw(10)
     << "expected" << std::setw(11) << "triggered" << std::setw(11)
     << "delivered" << std::setw(12) << "worst ms\n";
  for (const auto& entry : what.entries) {
    const auto found = seen.entries.find("line-" + std::to_string(entry.line));
    if (found == seen.entries.end()) {
      ++sums.lost;
      continue;
    }
    const auto counts = add_up(found->second, seen, by, sums);
    print_row(to, entry, found->second, counts);
  }
  to << "\nsummary scheduled=" << seen.entries.size()
     << " occurrences=" << sums.occurrences << " triggered=" << sums.triggered
     << " skipped=" << sums.skipped << " delivered=" << sums.delivered
     << " redelivered=" << sums.redelivered << " lost=" << sums.lost
     << " duplicated=" << seen.duplicated << " early=" << seen.early
     << " lateness_p99_ms=" << p99(sums.lateness_ms) << " kills=" << run.kills
     << std::endl;
  return sums.lost == 0 && seen.duplicated == 0 && seen.early == 0;
}

} // namespace reminders
