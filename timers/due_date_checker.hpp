// Finds what is due in the state, and when to look again.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace gnomon::timers {

/// Limits of one check.
struct due_limits {
  /// How many entries a check may return, at least 1.
  std::size_t count_max = 1000;
};

/// What a check found.
struct due_check {
  /// Entries that are due, oldest first.
  std::vector<due_entry> due;

  /// Due date of the first entry neither returned nor skipped, or when far
  /// entries are to be promoted if that is sooner; the time of the check if it
  /// is due already. None if there is no such entry.
  std::optional<timestamp> look_again;

  /// Whether entries that are due were left for want of room: a continuation
  /// should follow, behind what waits already.
  bool more = false;

  friend bool operator==(const due_check&, const due_check&) = default;
};

/// Tells which entries to pass over: those with a proposal under way and those
/// put off. It costs a look at each of them, so keep them few.
using skip_due_entry = std::function<bool(const due_entry&)>;

/// Finds entries of `state` due at or before `now`. Pure: proposes nothing,
/// changes nothing. After a failed read it finds nothing; see
/// `state_reader::failure`.
/// @param now   Partition time.
/// @param skip  May be empty.
due_check check_due_dates(const state_reader& state, timestamp now,
                          const due_limits& limits,
                          const skip_due_entry& skip = {});

/// Returns when to check for `due` if the last check began at `last_check`:
/// not before `due`, and not within one resolution of that check, so a stream
/// of new timers costs one check per resolution. Not for continuations, which
/// follow at once.
///
/// All that was due at `last_check` has been seen by then. What came later was
/// due, or at least known, later: it waits for one resolution at most. That
/// holds too when `due` stands for others merged with it by
/// `next_due_reference`, because the later of two bounds counts, not their sum.
timestamp arm_at(timestamp due, timestamp last_check, duration resolution);

} // namespace gnomon::timers
