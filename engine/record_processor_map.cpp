#include "engine/record_processor_map.hpp"

#include "engine/engine_processor.hpp"

#include <algorithm>
#include <string>

namespace gnomon::engine {

namespace {

// Value types below this are the library's; those between it and the users' are
// nobody's yet.
constexpr std::uint16_t library_value_types_end = 64;

std::string kind_name(value_type type, intent what, record_type kind) {
  return std::string{kind == record_type::command ? "command " : "event "}
         + std::to_string(what.value) + " of value type "
         + std::to_string(static_cast<unsigned>(type));
}

bool is_probed(std::uint16_t type) {
  return type < library_value_types_end || type >= user_value_types_begin;
}

} // namespace

record_processor_map::record_processor_map()
  : rows_(value_types_end), table_(1),
    own_(std::make_unique<engine_processor>()) {
  // nop
}

record_processor_map::record_processor_map(
  record_processor_map&&) noexcept = default;

record_processor_map&
record_processor_map::operator=(record_processor_map&&) noexcept = default;

record_processor_map::~record_processor_map() = default;

result<record_processor_map>
record_processor_map::make(std::span<record_processor* const> processors,
                           std::size_t library_count) {
  GNOMON_CHECK(library_count <= processors.size());
  record_processor_map made;
  std::vector<record_processor*> all{made.own_.get()};
  all.insert(all.end(), processors.begin(), processors.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    GNOMON_CHECK(all[i] != nullptr);
    // The first one is the engine's own.
    const auto end = i <= library_count ? library_value_types_end //
                                        : value_types_end;
    if (auto added = made.add(*all[i], end); !added)
      return added.error();
  }
  for (auto* each : all)
    if (auto checked = made.check_events(*each); !checked)
      return checked.error();
  return made;
}

result<void> record_processor_map::add(record_processor& added,
                                       std::uint16_t types_end) {
  for (std::uint16_t type = 1; type < types_end; ++type)
    if (is_probed(type))
      if (auto done = add(added, static_cast<value_type>(type)); !done)
        return done;
  return {};
}

result<void> record_processor_map::add(record_processor& added,
                                       value_type type) {
  for (std::uint16_t number = 1; number < intents_end; ++number) {
    for (auto kind : {record_type::command, record_type::event}) {
      const intent what{number};
      if (!added.accepts(type, what, kind))
        continue;
      auto& row = row_of(type);
      auto& slots = kind == record_type::command ? row.commands : row.events;
      if (slots[number] != nullptr)
        return {errc::invalid_argument,
                "build processor map: two processors accept "
                  + kind_name(type, what, kind)};
      slots[number] = &added;
    }
  }
  return {};
}

record_processor_map::row& record_processor_map::row_of(value_type type) {
  auto& index = rows_[static_cast<std::uint16_t>(type)];
  if (index == 0) {
    index = static_cast<std::uint16_t>(table_.size());
    table_.emplace_back();
  }
  return table_[index];
}

result<void>
record_processor_map::check_events(const record_processor& decides) const {
  const auto is_set = [](const record_processor* slot) {
    return slot;
  };
  const auto is_decided = [&](const record_processor* slot) {
    return slot == &decides;
  };
  bool decides_any = false;
  bool has_events = false;
  for (const auto& row : table_) {
    if (std::ranges::none_of(row.commands, is_decided))
      continue;
    decides_any = true;
    has_events = has_events || std::ranges::any_of(row.events, is_set);
  }
  if (decides_any && !has_events)
    return {errc::invalid_argument,
            "build processor map: a processor decides commands, but nobody "
            "applies an event of their value types"};
  return {};
}

} // namespace gnomon::engine
