// How much a partition may do before others get their turn.

#pragma once

#include "gnomon/clock.hpp"

#include <chrono>
#include <cstdint>
#include <limits>

namespace gnomon::timers {

/// Limits of one turn.
struct yield_limits {
  /// How long a turn may last.
  std::chrono::nanoseconds time_max = std::chrono::milliseconds{50};

  /// How many items a turn may take.
  std::uint64_t count_max = std::numeric_limits<std::uint64_t>::max();
};

/// Tells when a loop over items should stop and continue in a later message.
///
///     do
///       handle(next_item());
///     while (budget.spend() && more_items());
///
/// The clock is read after each item (some 30 ns): items differ too much in
/// cost for a guess to keep the limit. A turn is too long by at most one item.
///
/// Threads: one owner.
class yield_budget {
public:
  /// Begins the first turn.
  /// @param source  Borrowed; must outlive the budget.
  explicit yield_budget(const clock& source, yield_limits limits = {});

  /// Counts one item. @returns Whether another one may follow.
  bool spend();

  /// Returns whether the turn is over, without counting anything.
  bool spent() const;

  /// Begins the next turn.
  void restart();

  /// Returns how many items this turn has taken.
  std::uint64_t count() const {
    return count_;
  }

private:
  const clock& source_;
  yield_limits limits_;
  std::chrono::nanoseconds begin_;
  std::uint64_t count_ = 0;
};

} // namespace gnomon::timers
