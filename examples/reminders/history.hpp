// What really happened: read from the logs and from the workers' record.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gnomon/result.hpp>
#include <gnomon/timestamp.hpp>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>

namespace reminders {

/// Key of a timer and the number of one of its occurrences.
using occurrence_id = std::pair<std::uint64_t, std::uint64_t>;

/// What happened to the timer of one entry.
struct entry_history {
  std::uint64_t key = 0;

  /// Timestamp of the command: what delays count from.
  gnomon::timestamp accepted;

  /// More than 1 if a repeated command made another timer.
  std::size_t times_created = 0;

  /// When each occurrence was triggered first, by its number.
  std::map<std::uint64_t, gnomon::timestamp> triggered;

  /// How often an occurrence was triggered again.
  std::size_t triggered_again = 0;

  /// Numbers skipped: from, and how many.
  std::map<std::uint64_t, std::uint64_t> skipped;
};

struct history {
  /// By the name of the timer, "line-N".
  std::map<std::string, entry_history> entries;

  /// For each occurrence, how often each job was handed to a worker, by the key
  /// of the job.
  std::map<occurrence_id, std::map<std::uint64_t, std::size_t>> delivered;
};

/// Reads what the workers noted: lines of timer, occurrence, job, due date and
/// time of delivery. An incomplete last line is passed over.
void read_deliveries(history& to, std::istream& from);

/// Reads the logs of all partitions in `data`, which must not be open, and the
/// workers' record.
gnomon::result<history> read_history(const std::filesystem::path& data);

} // namespace reminders
