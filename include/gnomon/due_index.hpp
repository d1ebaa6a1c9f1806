// What is due when: the one index behind timers, time-outs and expiries.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>

namespace gnomon {

/// Says: from `due` on, propose command (`value_type`, `intent`) for `key`.
/// Ordered by due date, then by the other members.
struct due_entry {
  timestamp due;
  gnomon::value_type value_type = gnomon::value_type::unspecified;
  gnomon::intent intent{};
  gnomon::key key{};

  friend auto operator<=>(const due_entry&, const due_entry&) = default;
};

/// The index on disk, in two levels as in a timing wheel. What is due soon, the
/// *near* entries, lies in exact order. What is due on a later day, the *far*
/// entries, lies by the day alone: adding it appends to that day, while in
/// exact order each entry would change another page. Shortly before its day,
/// it is promoted.
///
/// Appliers add and remove entries; the due-date checker of the partition only
/// reads them and proposes the commands they name. A processor must decide
/// against current state, since an entry may have gone meanwhile.
namespace due_index {

/// (due date, value type, intent, key), without values.
inline constexpr column_family near_family{10};

/// (first instant of the day, value type, intent, key, due date), without
/// values.
inline constexpr column_family far_family{15};

/// Days are those of UTC. A part of the format, as is `promotion_lead`.
inline constexpr duration day{86'400'000};

/// How long before its day an entry is promoted.
inline constexpr duration promotion_lead{3'600'000};

/// Adds `entry`; adding it again changes nothing.
/// @param now  Time of the event that is applied. It decides about the level,
///             so that replay decides alike. By default, the entry is near.
void add(state_transaction& state, const due_entry& entry,
         timestamp now = timestamp::max());

/// Removes `entry`. @returns Whether it was there.
bool remove(state_transaction& state, const due_entry& entry);

/// Visits near entries in order, beginning at or behind `from`, while `visitor`
/// returns true. An entry that cannot be read is passed over.
void visit_near(const state_reader& state, const due_entry& from,
                const std::function<bool(const due_entry&)>& visitor);

/// Visits far entries while `visitor` returns true, day by day, beginning with
/// the day of `from`; those of one day by value type, intent and key.
void visit_far(const state_reader& state, timestamp from,
               const std::function<bool(const due_entry&)>& visitor);

/// Returns the first instant of the first day that has far entries.
std::optional<timestamp> first_far_day(const state_reader& state);

/// Returns the first entry of all, by a look at each of that day.
std::optional<due_entry> first(const state_reader& state);

/// Returns how many entries there are.
std::uint64_t count(const state_reader& state);

/// Returns when `promotable` begins to be more than 0, if ever.
std::optional<timestamp> next_promotion(const state_reader& state);

/// Returns how many far entries are to be promoted at `now`, up to
/// `entries_max`.
std::uint32_t promotable(const state_reader& state, timestamp now,
                         std::uint32_t entries_max);

/// Makes the first `entries` far entries near.
void promote(state_transaction& state, std::uint32_t entries);

} // namespace due_index

} // namespace gnomon
