#include "engine/bans.hpp"

#include "gnomon/state_key.hpp"

namespace gnomon::engine::bans {

bool contains(const state_reader& state, key scope) {
  return state.get(family, state_key{}.add(scope).view()).has_value();
}

void add(state_transaction& state, key scope, bytes_view value) {
  state.put(family, state_key{}.add(scope).view(), value);
}

} // namespace gnomon::engine::bans
