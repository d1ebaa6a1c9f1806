#include "gnomon/due_index.hpp"

#include "gnomon/state_key.hpp"

namespace gnomon::due_index {

namespace {

state_key encode(const due_entry& entry) {
  state_key result;
  result.add(entry.due)
    .add(static_cast<std::uint16_t>(entry.value_type))
    .add(entry.intent.value)
    .add(entry.key);
  return result;
}

std::optional<due_entry> decode(bytes_view source) {
  state_key_reader reader{source};
  const auto due = reader.read_i64();
  const auto type = reader.read_u16();
  const auto verb = reader.read_u16();
  const auto about = reader.read_u64();
  if (!due || !type || !verb || !about || !reader.rest().empty())
    return std::nullopt;
  return due_entry{{*due}, static_cast<value_type>(*type), {*verb}, {*about}};
}

} // namespace

void add(state_transaction& state, const due_entry& entry) {
  state.put(family, encode(entry).view(), {});
}

bool remove(state_transaction& state, const due_entry& entry) {
  return state.erase(family, encode(entry).view());
}

void visit(const state_reader& state, const due_entry& from,
           const std::function<bool(const due_entry&)>& visitor) {
  state.visit(family, encode(from).view(), [&](bytes_view found, bytes_view) {
    const auto entry = decode(found);
    return !entry || visitor(*entry);
  });
}

std::optional<due_entry> first(const state_reader& state) {
  std::optional<due_entry> result;
  visit(state, due_entry{timestamp::min()}, [&](const due_entry& entry) {
    result = entry;
    return false;
  });
  return result;
}

} // namespace gnomon::due_index
