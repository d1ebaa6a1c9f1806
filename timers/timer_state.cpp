#include "timers/timer_state.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"
#include "gnomon/v1/timer.pb.h"
#include "timers/timer_options.hpp"

#include <limits>

namespace gnomon::timers {

// A named timer's key in the state: text, its terminator, and a margin for the
// 8 bytes that jobs put behind it.
static_assert(text_bytes_limit + 2 + 8 <= 511);

namespace {

constexpr std::uint16_t body_layout = 1;
constexpr std::uint16_t repeats_flag = 1;
constexpr std::uint16_t scope_flag = 2;

std::uint16_t flags_of(const waiting_timer& timer) {
  const auto repeats = timer.repeats ? repeats_flag : std::uint16_t{0};
  return timer.scope ? repeats | scope_flag : repeats;
}

/// Encodes layout, flags, caught up, number, due date, length of the
/// rescheduled bytes; the scope key, if there is one; then these bytes and the
/// created ones.
bytes encode_timer(const waiting_timer& timer) {
  GNOMON_CHECK(timer.rescheduled.size()
               <= std::numeric_limits<std::uint32_t>::max());
  state_key header;
  header.add(body_layout)
    .add(flags_of(timer))
    .add(timer.caught_up)
    .add(timer.pending.number)
    .add(timer.pending.due)
    .add(static_cast<std::uint32_t>(timer.rescheduled.size()));
  if (timer.scope)
    header.add(timer.scope);
  bytes result;
  result.reserve(header.view().size() + timer.rescheduled.size()
                 + timer.created.size());
  result.append(header.view());
  result.append(timer.rescheduled);
  result.append(timer.created);
  return result;
}

} // namespace

std::optional<waiting_timer> decode_timer(bytes_view source) {
  state_key_reader reader{source};
  const auto layout = reader.read_u16();
  const auto flags = reader.read_u16();
  const auto caught_up = reader.read_u32();
  const auto number = reader.read_u64();
  const auto due = reader.read_i64();
  const auto rescheduled_bytes = reader.read_u32();
  if (layout != body_layout || !flags || !caught_up || !number || !due
      || !rescheduled_bytes)
    return std::nullopt;
  std::optional<std::uint64_t> scope{0};
  if ((*flags & scope_flag) != 0)
    scope = reader.read_u64();
  if (!scope || reader.rest().size() < *rescheduled_bytes)
    return std::nullopt;
  return waiting_timer{{*number, {*due}},
                       *caught_up,
                       (*flags & repeats_flag) != 0,
                       {*scope},
                       reader.rest().substr(0, *rescheduled_bytes),
                       reader.rest().substr(*rescheduled_bytes)};
}

std::optional<waiting_timer> find_timer(const state_reader& state, key about) {
  const auto body = state.get(timer_family, state_key{}.add(about).view());
  return body ? decode_timer(*body) : std::nullopt;
}

std::optional<key> find_timer_key(const state_reader& state,
                                  std::string_view name) {
  const auto found = state.get(timer_name_family, state_key{}.add(name).view());
  if (!found)
    return std::nullopt;
  const auto about = state_key_reader{*found}.read_u64();
  return about ? std::optional{key{*about}} : std::nullopt;
}

due_entry timer_due_entry(key about, timestamp due) {
  return {due, value_type::timer, {v1::TIMER_INTENT_TRIGGER}, about};
}

void insert_timer(state_transaction& state, key about,
                  const waiting_timer& timer, std::string_view name,
                  timestamp now) {
  GNOMON_CHECK(about.value != 0);
  state.put(timer_family, state_key{}.add(about).view(), encode_timer(timer));
  due_index::add(state, timer_due_entry(about, timer.pending.due), now);
  if (!name.empty())
    state.put(timer_name_family, state_key{}.add(name).view(),
              state_key{}.add(about).view());
}

void update_timer(state_transaction& state, key about, timestamp old_due,
                  const waiting_timer& timer, timestamp now) {
  GNOMON_CHECK(about.value != 0);
  state.put(timer_family, state_key{}.add(about).view(), encode_timer(timer));
  if (timer.pending.due == old_due)
    return;
  due_index::remove(state, timer_due_entry(about, old_due));
  due_index::add(state, timer_due_entry(about, timer.pending.due), now);
}

void erase_timer(state_transaction& state, key about, timestamp due,
                 std::string_view name) {
  state.erase(timer_family, state_key{}.add(about).view());
  due_index::remove(state, timer_due_entry(about, due));
  if (!name.empty())
    state.erase(timer_name_family, state_key{}.add(name).view());
}

} // namespace gnomon::timers
