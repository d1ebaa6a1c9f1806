// What belongs to an instance: things found by the scope key.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/record.hpp"
#include "gnomon/state.hpp"

#include <cstddef>
#include <vector>

namespace gnomon::engine::scope_index {

/// (Scope key, key) -> value type.
inline constexpr column_family family{16};

/// A timer, a job or whatever else belongs to an instance.
struct member {
  gnomon::key key;
  gnomon::value_type value_type = gnomon::value_type::unspecified;

  friend bool operator==(const member&, const member&) = default;
};

/// Notes that `what` belongs to the instance `scope`; does nothing if there is
/// none. For appliers.
void add(state_transaction& state, key scope, const member& what);

/// Takes back what `add` noted; does nothing if there is no `scope`. For
/// appliers.
void remove(state_transaction& state, key scope, key about);

/// Returns up to `members_max` members of `scope` with a key behind `after`, in
/// the order of their keys.
std::vector<member> members(const state_reader& state, key scope, key after,
                            std::size_t members_max);

} // namespace gnomon::engine::scope_index
