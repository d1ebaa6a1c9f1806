// What really happened: computed from the logs and from the workers' record.

#pragma once

#include "schedule_file.hpp"
#include "supervisor.hpp"
#include <cstdint>
#include <filesystem>
#include <gnomon/result.hpp>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace reminders {

/// A timer and the number of one of its occurrences.
using occurrence_id = std::pair<std::uint64_t, std::uint64_t>;

/// What happened to the timer of one entry.
struct entry_history {
  std::uint64_t key = 0;
  std::string expression;
  gnomon::timestamp anchor;
  gnomon::timestamp created;
  gnomon::timestamp first_due;

  /// When each occurrence was triggered first, by its number.
  std::map<std::uint64_t, gnomon::timestamp> triggered;
  std::map<std::uint64_t, gnomon::timestamp> due;

  /// Numbers skipped: from, and how many.
  std::map<std::uint64_t, std::uint64_t> skipped;
};

struct history {
  /// By the name of the timer, "line-N".
  std::map<std::string, entry_history> entries;
  std::uint64_t duplicated = 0;
  std::uint64_t early = 0;

  /// How often each occurrence was handed to a worker.
  std::map<occurrence_id, std::uint64_t> delivered;
};

/// Reads the logs of all partitions in `data`, which must not be open, and the
/// workers' record.
gnomon::result<history> read_history(const std::filesystem::path& data);

/// Prints the table and the summary line.
/// @returns Whether nothing was lost, duplicated or early.
bool print_report(std::ostream& to, const schedule& what, const history& seen,
                  const run_outcome& run);

} // namespace reminders
