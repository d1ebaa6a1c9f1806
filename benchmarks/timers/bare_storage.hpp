// The storage work of timers with nothing around it: what could be reached.

#pragma once

#include "benchmarks/timers/plan.hpp"
#include "storage/ports/file_system.hpp"

#include <cstddef>
#include <memory>

namespace gnomon::benchmarks {

/// Timers per second.
struct bare_rates {
  double create = 0;
  double trigger = 0;
};

/// Puts `count` timers into an LMDB environment that flushes nothing and writes
/// two records for each to a preallocated file, 1000 timers per transaction and
/// write, while a second thread calls fdatasync; then does what triggering them
/// needs, in the order of their due dates.
/// @param within  Due dates lie within this time.
bare_rates run_bare_storage(const std::filesystem::path& directory,
                            std::size_t count,
                            std::chrono::milliseconds within);

/// Does what `count` jobs that are created, activated and completed need of an
/// LMDB environment and of a file, in the same way. @returns Jobs per second.
double run_bare_jobs(const std::filesystem::path& directory, std::size_t count);

/// Creates a file like a segment of a log.
std::unique_ptr<storage::file>
make_segment_file(const std::filesystem::path& directory);

} // namespace gnomon::benchmarks
