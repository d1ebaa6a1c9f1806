// The next due date of a partition, in one word that any thread may look at.

#pragma once

#include "gnomon/timestamp.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

namespace gnomon::timers {

/// Holds when a partition has to look for due entries next, or "none".
///
/// The handshake that loses no entry:
///
///     writer    commit the entry to the state, then `offer` its due date
///     scanner   `take`, then open a view of the state and scan it, then
///               `offer` the due date of the first entry left
///
/// Both begin with an atomic read-modify-write of the same word, so one comes
/// first. If it is `offer`, the view of the scanner holds the entry. If it is
/// `take`, the writer finds "none" and gets told to wake the scanner. A plain
/// load in `offer` would not do: it may overtake the writes before it.
///
/// An offer less than one resolution sooner than what is held changes nothing:
/// the check planned for `held` is in time, since `held < due + resolution`.
/// Only what is held is compared with, never an offer that was merged, so the
/// differences cannot add up.
///
/// Threads: all members may be called from any thread; lock-free.
class next_due_reference {
public:
  /// @param resolution  Offers closer than that to what is held are merged;
  ///                    zero or less merges none.
  explicit next_due_reference(duration resolution = duration{0})
    : resolution_(resolution) {
    // nop
  }

  /// Offers a due date. Call it after the commit of the entry.
  /// @returns True only to the caller who made the reference sooner and so has
  ///          to wake the timer actor. Always false for `timestamp::max()`.
  bool offer(timestamp due);

  /// Sets the reference to none. Call it before opening the view to scan.
  /// @returns What was held.
  std::optional<timestamp> take();

  /// Returns what is held. No part of the handshake.
  std::optional<timestamp> peek() const;

  /// Sets the reference to none because nobody will scan for a while (the
  /// partition is paused or failed). Later offers are held as usual and do no
  /// harm; whoever resumes must offer the first due date in the state again.
  void withdraw();

private:
  static constexpr std::int64_t none = timestamp::max().value;

  bool is_sooner(std::int64_t due, std::int64_t held) const;

  duration resolution_;
  std::atomic<std::int64_t> held_{none};
};

} // namespace gnomon::timers
