// What is due when: the one index behind timers, time-outs and expiries.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"

#include <compare>
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

/// The index on disk: an ordered column family without values.
///
/// Appliers add and remove entries; the due-date checker of the partition only
/// reads them and proposes the commands they name. A processor must decide
/// against current state, since an entry may have gone meanwhile.
namespace due_index {

inline constexpr column_family family{10};

/// Adds `entry`; adding it again changes nothing.
void add(state_transaction& state, const due_entry& entry);

/// Removes `entry`. @returns Whether it was there.
bool remove(state_transaction& state, const due_entry& entry);

/// Visits entries in order, beginning at or behind `from`, while `visitor`
/// returns true. An entry that cannot be read is passed over.
void visit(const state_reader& state, const due_entry& from,
           const std::function<bool(const due_entry&)>& visitor);

/// Returns the first entry of all.
std::optional<due_entry> first(const state_reader& state);

} // namespace due_index

} // namespace gnomon
