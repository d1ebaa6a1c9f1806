// The application itself: partitions, workers, and the timers of a schedule.

#pragma once

#include "schedule_file.hpp"
#include <cstdint>
#include <filesystem>
#include <string>

namespace reminders {

inline constexpr std::uint16_t partition_count = 2;

/// Returns the partition that `what` belongs to, from 1.
inline std::uint16_t partition_of(const entry& what) {
  return static_cast<std::uint16_t>(1 + what.line % partition_count);
}

/// File of the workers' own record: one line for each delivery, synced before
/// the job is completed.
inline constexpr const char* deliveries_file = "delivered.txt";

/// Opens the partitions in `data`, creates the timers of `what` unless they are
/// there already, and works until SIGTERM or SIGINT.
/// @returns The exit status.
int serve(const std::filesystem::path& data, const schedule& what);

} // namespace reminders
