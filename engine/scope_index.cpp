#include "engine/scope_index.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"

namespace gnomon::engine::scope_index {

namespace {

state_key member_key(key scope, key about) {
  return state_key{}.add(scope).add(about);
}

} // namespace

void add(state_transaction& state, key scope, const member& what) {
  GNOMON_CHECK(what.key.value != 0);
  if (!scope)
    return;
  state.put(
    family, member_key(scope, what.key).view(),
    state_key{}.add(static_cast<std::uint16_t>(what.value_type)).view());
}

void remove(state_transaction& state, key scope, key about) {
  if (scope)
    state.erase(family, member_key(scope, about).view());
}

std::vector<member> members(const state_reader& state, key scope, key after,
                            std::size_t members_max) {
  std::vector<member> result;
  if (members_max == 0 || after.value + 1 == 0)
    return result;
  const auto see = [&](bytes_view found, bytes_view value) {
    state_key_reader at{found};
    const auto owner = at.read_u64();
    const auto about = at.read_u64();
    const auto type = state_key_reader{value}.read_u16();
    if (!owner || *owner != scope.value)
      return false;
    if (about && type)
      result.push_back({{*about}, static_cast<value_type>(*type)});
    return result.size() < members_max;
  };
  state.visit(family, member_key(scope, {after.value + 1}).view(), see);
  return result;
}

} // namespace gnomon::engine::scope_index
