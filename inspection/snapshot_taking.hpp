// Takes a snapshot of a partition that nobody has open.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"

#include "inspection/partition_folder.hpp"
#include <string>

namespace gnomon::inspection {

/// A snapshot that is published now. Plain value.
struct taken_snapshot {
  position at;

  /// What was cut off the log or made anew when the partition was opened; empty
  /// if nothing was.
  std::string report;
};

/// Opens the partition as its owner does, takes a snapshot at the position its
/// state has, and closes it cleanly. Writes nothing to the log and compacts
/// nothing; keeps the newest two snapshots.
///
/// A state that has to be made anew is replayed first, unless the log has
/// events whose appliers only the application knows.
/// @returns `errc::in_use` if somebody has the partition,
///          `errc::invalid_state` if there is nothing to take a snapshot of.
result<taken_snapshot> take_snapshot(storage::file_system& files,
                                     const partition_folder& folder);

} // namespace gnomon::inspection
