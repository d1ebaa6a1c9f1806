// Instances set aside because their commands keep failing.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/state.hpp"

namespace gnomon::engine::bans {

/// Banned instances: scope key to the bytes of `v1::InstanceBanned`.
inline constexpr column_family family{14};

/// Says whether commands of the instance `scope` are refused.
bool contains(const state_reader& state, key scope);

/// Sets the instance `scope` aside. `value` as in the record ERROR BANNED.
void add(state_transaction& state, key scope, bytes_view value);

} // namespace gnomon::engine::bans
