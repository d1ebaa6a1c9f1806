#include "tests/timers/fake_partition.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::testing {

std::vector<record> fake_partition::process(value_type type, int what,
                                            key about, bytes value,
                                            timestamp now, key scope) {
  command_ = record{};
  command_.scope_key = scope;
  command_.key = about;
  command_.timestamp = now;
  command_.record_type = record_type::command;
  command_.value_type = type;
  command_.intent = {static_cast<std::uint16_t>(what)};
  command_.value = std::move(value);
  append(command_);
  command_ = log.back();
  const auto first = log.size();
  const auto command = command_;
  auto* processor = find(command);
  GNOMON_CHECK(processor != nullptr);
  processor->process(typed_record{command}, *this);
  std::vector<record> outcome(log.begin() + static_cast<std::ptrdiff_t>(first),
                              log.end());
  GNOMON_CHECK(!outcome.empty());
  return outcome;
}

std::vector<record> fake_partition::trigger_due(timestamp now) {
  std::vector<due_entry> due;
  const auto see = [&](const due_entry& entry) {
    if (entry.due <= now)
      due.push_back(entry);
    return true;
  };
  due_index::visit_near(state_, {timestamp::min()}, see);
  due_index::visit_far(state_, timestamp::min(), see);
  std::ranges::sort(due);
  std::vector<record> result;
  for (const auto& entry : due)
    for (auto& outcome :
         process(entry.value_type, entry.intent.value, entry.key, {}, now))
      result.push_back(std::move(outcome));
  return result;
}

fake_state::dump fake_partition::replayed() {
  fake_state fresh;
  for (const auto& each : log)
    if (each.record_type == record_type::event)
      if (auto* processor = find(each))
        processor->replay(typed_record{each}, fresh);
  return fresh.entries;
}

void fake_partition::append_event(key about, value_type type, intent what,
                                  bytes_view value, key scope) {
  auto event = follow(about, type, what, value);
  event.scope_key = scope;
  event.record_type = record_type::event;
  if (auto* processor = find(event))
    processor->replay(typed_record{event}, state_);
  append(std::move(event));
}

void fake_partition::append_command(key about, value_type type, intent what,
                                    bytes_view value, key scope) {
  auto command = follow(about, type, what, value);
  command.scope_key = scope;
  command.record_type = record_type::command;
  append(std::move(command));
}

void fake_partition::reject(rejection_type type, std::string reason) {
  auto rejection = follow(command_.key, command_.value_type, command_.intent,
                          command_.value);
  rejection.record_type = record_type::command_rejection;
  rejection.rejection_type = type;
  rejection.rejection_reason = std::move(reason);
  append(std::move(rejection));
}

record_processor* fake_partition::find(const record_header& header) {
  for (const auto& processor : processors_)
    if (processor->accepts(header.value_type, header.intent,
                           header.record_type))
      return processor.get();
  return nullptr;
}

record fake_partition::follow(key about, value_type type, intent what,
                              bytes_view value) {
  record result;
  result.source_position = command_.position;
  result.key = about;
  result.timestamp = command_.timestamp;
  result.value_type = type;
  result.intent = what;
  result.value = bytes{value};
  return result;
}

} // namespace gnomon::testing
