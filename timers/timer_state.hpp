// Where the state keeps waiting timers, and how they look there.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/recurrence.hpp"
#include "gnomon/state.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gnomon::timers {

/// Key -> fixed header, `TimerRescheduled` as received (if any), `TimerCreated`
/// as received.
inline constexpr column_family timer_family{20};

/// Name -> key; only timers that have a name.
inline constexpr column_family timer_name_family{21};

/// A waiting timer. Borrows from the state until the next write.
struct waiting_timer {
  /// The occurrence that triggers next; numbered over the whole life.
  occurrence pending;

  /// Missed occurrences triggered in a row so far.
  std::uint32_t caught_up = 0;

  /// There may be more occurrences behind the pending one.
  bool repeats = false;

  /// The instance it belongs to, if any.
  key scope;

  /// Serialised `v1::TimerRescheduled`, replaces the schedule in `created`;
  /// empty if it never happened.
  bytes_view rescheduled;

  /// Serialised `v1::TimerCreated`.
  bytes_view created;
};

/// Returns the waiting timer `about`, or nothing. See `state.failure()`.
std::optional<waiting_timer> find_timer(const state_reader& state, key about);

/// Takes what `timer_family` holds apart. @returns Nothing if it is malformed.
std::optional<waiting_timer> decode_timer(bytes_view source);

/// Returns the key of the waiting timer called `name`, or nothing.
std::optional<key> find_timer_key(const state_reader& state,
                                  std::string_view name);

/// Returns what the due index holds for a waiting timer.
due_entry timer_due_entry(key about, timestamp due);

/// Writes the body and the due entry of a timer that is not there yet, and its
/// name unless that is empty.
/// @param now  Time of the event that is applied.
void insert_timer(state_transaction& state, key about,
                  const waiting_timer& timer, std::string_view name,
                  timestamp now);

/// Replaces the body of a timer and moves its due entry.
/// @param old_due  Due date of the pending occurrence so far.
/// @param now      Time of the event that is applied.
void update_timer(state_transaction& state, key about, timestamp old_due,
                  const waiting_timer& timer, timestamp now);

/// Removes everything of a timer without reading it.
/// @param due   Due date of the pending occurrence.
/// @param name  Empty if it has none.
void erase_timer(state_transaction& state, key about, timestamp due,
                 std::string_view name);

} // namespace gnomon::timers
