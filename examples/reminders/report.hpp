// Judges a run by what its history says, and prints the judgement.

#pragma once

#include "history.hpp"
#include "schedule_file.hpp"
#include "supervisor.hpp"
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace reminders {

/// What became of one entry.
struct entry_report {
  entry what;

  /// Occurrences that had to be triggered by the end of the run.
  std::size_t expected = 0;
  std::size_t triggered = 0;
  std::size_t delivered = 0;
  std::int64_t worst_lateness_ms = 0;
};

/// What became of all of them.
struct report {
  std::vector<entry_report> entries;

  /// What must not be, one sentence each.
  std::vector<std::string> violations;

  std::uint64_t scheduled = 0;
  std::uint64_t occurrences = 0;
  std::uint64_t triggered = 0;
  std::uint64_t skipped = 0;
  std::uint64_t delivered = 0;

  /// Jobs that were handed over again; at-least-once allows it.
  std::uint64_t redelivered = 0;

  /// Expected, but neither triggered nor skipped; or triggered, but never
  /// delivered.
  std::uint64_t lost = 0;

  /// Created, triggered or made a job twice, or not part of the schedule.
  std::uint64_t duplicated = 0;

  /// Triggered before it was due, or delivered without being triggered.
  std::uint64_t early = 0;

  std::int64_t lateness_p99_ms = 0;
  int kills = 0;

  bool is_right() const {
    return lost == 0 && duplicated == 0 && early == 0;
  }
};

/// Compares what `what` asks for with what `seen` says happened. The due dates
/// are computed anew from the lines of the file and from the time at which
/// their commands were accepted, so that a wrong due date in the log shows.
report judge(const schedule& what, const history& seen, const run_outcome& run);

/// Prints a table, the violations, and the summary line.
void print(std::ostream& to, const report& what);

} // namespace reminders
