// Due entries that were proposed in vain, and when to try them again.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/timestamp.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace gnomon::timers {

/// Limits of putting off.
struct put_off_limits {
  /// The first back-off, often the resolution; doubles each time.
  duration shortest{100};

  /// The longest back-off.
  duration longest{60'000};

  /// How many entries to remember.
  std::size_t entries_max = 10'000;
};

/// Remembers entries whose proposal was rejected although they stay in the
/// index: proposing them at once again would spin. Deterministic; lost in a
/// crash without harm.
///
/// If there are more of them than `entries_max`, every entry not remembered
/// waits for `shortest` after each one too many: slow, but neither spinning
/// nor forgetful.
///
/// Threads: one owner.
class put_off_entries {
public:
  /// @pre `0 < limits.shortest <= limits.longest`, `limits.entries_max > 0`.
  explicit put_off_entries(put_off_limits limits = {});

  /// Puts `entry` off: for `shortest`, then twice as long each time, up to
  /// `longest`.
  void put_off(const due_entry& entry, timestamp now);

  /// Forgets `entry`, since its proposal succeeded or it left the index.
  void forget(const due_entry& entry);

  /// Returns whether a check at `now` should pass over `entry`.
  bool is_put_off(const due_entry& entry, timestamp now) const;

  /// Returns when the next entry may be tried again, if any is put off.
  std::optional<timestamp> next_attempt(timestamp now) const;

  /// Returns how many entries are remembered.
  std::size_t size() const {
    return entries_.size();
  }

private:
  struct back_off {
    timestamp until;
    duration length;
  };

  void drop_abandoned(timestamp now);

  put_off_limits limits_;
  std::map<due_entry, back_off> entries_;
  std::set<std::pair<timestamp, due_entry>> by_attempt_;

  /// Until then, entries not remembered are put off too.
  timestamp others_until_ = timestamp::min();
};

} // namespace gnomon::timers
