// What happens to the occurrences of a repeating timer that nobody was there
// to trigger. Pure: looks at its arguments only.

#pragma once

#include "gnomon/recurrence.hpp"
#include "gnomon/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace gnomon::timers {

/// What happens to missed occurrences. The grid is kept in all three.
enum class catch_up_policy {
  /// Trigger them, oldest first, up to `catch_up_max` in a row.
  every,
  /// Skip all but the newest one that is due.
  latest,
  /// Skip all that are missed.
  skip,
};

/// Limits of catching up.
struct catch_up_options {
  /// An occurrence triggered later than this counts as missed.
  duration catch_up_grace = std::chrono::seconds{60};

  /// Missed occurrences that trigger in a row before the rest is skipped.
  std::uint32_t catch_up_max = 100;

  friend bool operator==(const catch_up_options&, const catch_up_options&)
    = default;
};

/// A run of occurrences that will never trigger.
struct skipped_occurrences {
  /// Number of the first one skipped.
  std::uint64_t first = 0;

  /// How many numbers are skipped; at least one.
  std::uint64_t count = 0;

  friend bool operator==(const skipped_occurrences&, const skipped_occurrences&)
    = default;
};

/// What one TRIGGER command leads to: first the skipped ones, then the
/// triggered one. At least one of the two is there.
struct catch_up_decision {
  std::optional<skipped_occurrences> skipped = {};
  std::optional<occurrence> triggered = {};

  /// The occurrence that is pending from now on, which may be due already;
  /// nothing if the timer has ended.
  std::optional<occurrence> next = {};

  /// Missed ones triggered in a row up to here; hand it to the next decision.
  std::uint32_t caught_up = 0;

  friend bool operator==(const catch_up_decision&, const catch_up_decision&)
    = default;
};

/// Decides about `pending`, and maybe the ones due behind it, at `now`.
///
/// Occurrence n is missed if n + 1 is due too, or if `now` is later than its
/// due date by more than `catch_up_grace`. What does not repeat always
/// triggers. Costs what `recurrence::latest` costs, however many are missed.
/// @param now        Timestamp of the TRIGGER command.
/// @param caught_up  From the previous decision; 0 for the first.
/// @pre `pending.due <= now`.
catch_up_decision decide_catch_up(const recurrence& rule,
                                  const occurrence& pending, timestamp now,
                                  catch_up_policy policy,
                                  const catch_up_options& options,
                                  std::uint32_t caught_up);

} // namespace gnomon::timers
