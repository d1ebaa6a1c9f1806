// Turns due entries of the state into proposed commands.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/record.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "timers/put_off_entries.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace gnomon::partitions {

/// Scans the due index in slices until nothing is due any more.
///
/// It only proposes: processors decide, and take the entry out of the index. An
/// entry that is still there after its proposal had an outcome is put off with
/// a growing back-off, so that a command that keeps failing cannot spin.
///
/// Threads: one owner, the partition.
class due_scan {
public:
  explicit due_scan(duration resolution);

  /// Begins a scan, or lets the present one go on.
  void begin() {
    active_ = true;
  }

  /// Ends the scan and forgets what was proposed or put off; for a partition
  /// that fails or pauses.
  void reset();

  /// Says whether there may be more that is due.
  bool active() const {
    return active_;
  }

  /// Returns commands for the next entries that are due, up to `count_max`;
  /// none ends the scan. Call it once the proposals before have an outcome.
  std::vector<record> propose(const state_reader& state, timestamp now,
                              std::size_t count_max);

  /// Returns the entries of the last slice, in order.
  const std::vector<due_entry>& proposed() const {
    return proposed_;
  }

  /// Returns when to begin the next scan, if anything waits.
  std::optional<timestamp> next(const state_reader& state, timestamp now) const;

private:
  void settle(const std::vector<due_entry>& still_due, timestamp now);

  duration resolution_;
  bool active_ = false;
  timestamp last_check_ = timestamp::min();

  /// Entries proposed in the last slice, in order.
  std::vector<due_entry> proposed_;
  timers::put_off_entries put_off_;
};

} // namespace gnomon::partitions
