#include "engine/idempotency.hpp"

#include "gnomon/check.hpp"
#include "gnomon/due_index.hpp"
#include "gnomon/state_key.hpp"
#include "gnomon/v1/partition.pb.h"
#include "messages/record_codec.hpp"

#include <xxhash.h>

namespace gnomon::engine::idempotency {

namespace {

constexpr duration default_window = std::chrono::hours{24};

state_key window_key() {
  return state_key{}.add(std::uint16_t{1});
}

timestamp due_from(const state_reader& state, timestamp stored) {
  const auto entry = state.get(settings, window_key().view());
  if (!entry)
    return stored + default_window;
  const auto window = state_key_reader{*entry}.read_i64();
  return stored + (window ? duration{*window} : default_window);
}

due_entry expiry(timestamp due, position source) {
  return {due,
          value_type::idempotency,
          {v1::IDEMPOTENCY_INTENT_EXPIRE},
          {source.value}};
}

gnomon::error unreadable(std::string_view idempotency_key) {
  return {errc::corrupted, "read the answer remembered under idempotency key "
                             + std::string{idempotency_key}};
}

std::optional<std::string> key_of(const state_reader& state, position source) {
  const auto found = state.get(keys, state_key{}.add(source).view());
  return found ? std::optional<std::string>{*found} : std::nullopt;
}

} // namespace

std::uint64_t content_hash(const typed_record& command) {
  state_key about;
  about.add(static_cast<std::uint16_t>(command.value_type))
    .add(command.intent.value)
    .add(command.key)
    .add(command.scope_key);
  const auto seed = XXH3_64bits(about.view().data(), about.view().size());
  return XXH3_64bits_withSeed(command.value.data(), command.value.size(), seed);
}

result<std::optional<stored_answer>> find(const state_reader& state,
                                          std::string_view idempotency_key) {
  const auto entry = state.get(answers, idempotency_key);
  if (!entry)
    return std::optional<stored_answer>{};
  state_key_reader reader{*entry};
  const auto content = reader.read_u64();
  const auto due = reader.read_i64();
  const auto at = reader.read_u64();
  if (!content || !due || !at || *at == 0)
    return unreadable(idempotency_key);
  auto rest = reader.rest();
  auto outcome = messages::decode_record(rest, {*at});
  if (!outcome)
    return unreadable(idempotency_key);
  return std::optional{stored_answer{*content, {*due}, *outcome}};
}

void store(state_transaction& state, const typed_record& command,
           const typed_record& outcome) {
  GNOMON_CHECK(!outcome.idempotency_key.empty());
  const auto source = outcome.source_position;
  const auto due = due_from(state, outcome.timestamp);
  state_key head;
  head.add(content_hash(command)).add(due).add(outcome.position);
  bytes entry{head.view()};
  messages::encode_record(outcome, entry);
  state.put(answers, outcome.idempotency_key, entry);
  state.put(keys, state_key{}.add(source).view(), outcome.idempotency_key);
  due_index::add(state, expiry(due, source), outcome.timestamp);
}

std::optional<timestamp> due_date(const state_reader& state, position source) {
  const auto idempotency_key = key_of(state, source);
  if (!idempotency_key)
    return std::nullopt;
  const auto found = find(state, *idempotency_key);
  if (!found || !*found)
    return std::nullopt;
  return (*found)->due;
}

bool forget(state_transaction& state, position source) {
  const auto idempotency_key = key_of(state, source);
  const auto due = due_date(state, source);
  if (!idempotency_key || !due)
    return false;
  due_index::remove(state, expiry(*due, source));
  state.erase(answers, *idempotency_key);
  return state.erase(keys, state_key{}.add(source).view());
}

void set_window(state_transaction& state, duration window) {
  state.put(settings, window_key().view(),
            state_key{}.add(std::int64_t{window.count()}).view());
}

} // namespace gnomon::engine::idempotency
