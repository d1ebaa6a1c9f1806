#include "gnomon/due_index.hpp"

#include "gnomon/state_key.hpp"

#include <algorithm>
#include <vector>

namespace gnomon::due_index {

namespace {

state_key without_due(state_key begin, const due_entry& entry) {
  begin.add(static_cast<std::uint16_t>(entry.value_type))
    .add(entry.intent.value)
    .add(entry.key);
  return begin;
}

state_key encode_near(const due_entry& entry) {
  return without_due(state_key{}.add(entry.due), entry);
}

state_key encode_far(timestamp first_of_day, const due_entry& entry) {
  return without_due(state_key{}.add(first_of_day), entry).add(entry.due);
}

/// Takes off what `without_due` added.
std::optional<due_entry> decode_without_due(state_key_reader& reader) {
  const auto type = reader.read_u16();
  const auto verb = reader.read_u16();
  const auto about = reader.read_u64();
  if (!type || !verb || !about)
    return std::nullopt;
  return due_entry{{}, static_cast<value_type>(*type), {*verb}, {*about}};
}

std::optional<due_entry> decode_near(bytes_view source) {
  state_key_reader reader{source};
  const auto due = reader.read_i64();
  auto entry = decode_without_due(reader);
  if (!due || !entry || !reader.rest().empty())
    return std::nullopt;
  entry->due = {*due};
  return entry;
}

std::optional<due_entry> decode_far(bytes_view source) {
  state_key_reader reader{source};
  const auto first_of_day = reader.read_i64();
  auto entry = decode_without_due(reader);
  const auto due = reader.read_i64();
  if (!first_of_day || !entry || !due || !reader.rest().empty())
    return std::nullopt;
  entry->due = {*due};
  return entry;
}

/// Returns the first instant of the day of `at`, or of time itself.
timestamp day_of(timestamp at) {
  const auto since = at.value % day.count();
  return at + duration{since < 0 ? -since - day.count() : -since};
}

timestamp promotion_of(timestamp first_of_day) {
  return first_of_day + -promotion_lead;
}

} // namespace

// -- entries ------------------------------------------------------------------

void add(state_transaction& state, const due_entry& entry, timestamp now) {
  const auto first_of_day = day_of(entry.due);
  if (promotion_of(first_of_day) <= now)
    state.put(near_family, encode_near(entry).view(), {});
  else
    state.put(far_family, encode_far(first_of_day, entry).view(), {});
}

bool remove(state_transaction& state, const due_entry& entry) {
  return state.erase(near_family, encode_near(entry).view())
         || state.erase(far_family,
                        encode_far(day_of(entry.due), entry).view());
}

void visit_near(const state_reader& state, const due_entry& from,
                const std::function<bool(const due_entry&)>& visitor) {
  state.visit(near_family, encode_near(from).view(),
              [&](bytes_view found, bytes_view) {
                const auto entry = decode_near(found);
                return !entry || visitor(*entry);
              });
}

void visit_far(const state_reader& state, timestamp from,
               const std::function<bool(const due_entry&)>& visitor) {
  state.visit(far_family, state_key{}.add(day_of(from)).view(),
              [&](bytes_view found, bytes_view) {
                const auto entry = decode_far(found);
                return !entry || visitor(*entry);
              });
}

std::optional<timestamp> first_far_day(const state_reader& state) {
  std::optional<timestamp> result;
  visit_far(state, timestamp::min(), [&](const due_entry& entry) {
    result = day_of(entry.due);
    return false;
  });
  return result;
}

std::optional<due_entry> first(const state_reader& state) {
  std::optional<due_entry> result;
  visit_near(state, due_entry{timestamp::min()}, [&](const due_entry& entry) {
    result = entry;
    return false;
  });
  std::optional<timestamp> first_of_day;
  visit_far(state, timestamp::min(), [&](const due_entry& entry) {
    if (!first_of_day)
      first_of_day = day_of(entry.due);
    if (day_of(entry.due) != *first_of_day)
      return false;
    result = result ? std::min(*result, entry) : entry;
    return true;
  });
  return result;
}

std::uint64_t count(const state_reader& state) {
  return state.count(near_family) + state.count(far_family);
}

// -- promotion ----------------------------------------------------------------

std::optional<timestamp> next_promotion(const state_reader& state) {
  const auto first_of_day = first_far_day(state);
  return first_of_day ? std::optional{promotion_of(*first_of_day)}
                      : std::nullopt;
}

std::uint32_t promotable(const state_reader& state, timestamp now,
                         std::uint32_t entries_max) {
  std::uint32_t result = 0;
  visit_far(state, timestamp::min(), [&](const due_entry& entry) {
    if (result == entries_max || promotion_of(day_of(entry.due)) > now)
      return false;
    ++result;
    return true;
  });
  return result;
}

void promote(state_transaction& state, std::uint32_t entries) {
  std::vector<due_entry> moved;
  moved.reserve(entries);
  visit_far(state, timestamp::min(), [&](const due_entry& entry) {
    if (moved.size() == entries)
      return false;
    moved.push_back(entry);
    return true;
  });
  for (const auto& entry : moved) {
    state.erase(far_family, encode_far(day_of(entry.due), entry).view());
    add(state, entry);
  }
}

} // namespace gnomon::due_index
