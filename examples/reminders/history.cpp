#include "messages/record_codec.hpp"
#include "storage/log_reader.hpp"
#include "storage/partition_directory.hpp"
#include "storage/system_file_system.hpp"

#include "report.hpp"
#include "service.hpp"
#include <fstream>
#include <gnomon/v1/timer.pb.h>

namespace reminders {

namespace {

using names = std::map<std::uint64_t, std::string>;

void note_created(history& to, names& by_key,
                  const gnomon::typed_record& event) {
  gnomon::v1::TimerCreated value;
  if (!event.parse(value))
    return;
  by_key[event.key.value] = value.name();
  to.entries[value.name()] = {.key = event.key.value,
                              .expression = value.expression(),
                              .anchor = {value.anchor_ms()},
                              .created = event.timestamp,
                              .first_due = {value.due_ms()},
                              .triggered = {},
                              .due = {},
                              .skipped = {}};
}

void note_triggered(history& to, const names& by_key,
                    const gnomon::typed_record& event) {
  gnomon::v1::TimerTriggered value;
  const auto name = by_key.find(event.key.value);
  if (!event.parse(value) || name == by_key.end())
    return;
  auto& entry = to.entries[name->second];
  const gnomon::timestamp due{value.due_ms()};
  if (!entry.triggered.emplace(value.occurrence(), event.timestamp).second)
    ++to.duplicated;
  entry.due[value.occurrence()] = due;
  if (event.timestamp < due)
    ++to.early;
}

void note_skipped(history& to, const names& by_key,
                  const gnomon::typed_record& event) {
  gnomon::v1::TimerSkipped value;
  const auto name = by_key.find(event.key.value);
  if (event.parse(value) && name != by_key.end())
    to.entries[name->second].skipped[value.first_occurrence()] = value.count();
}

void note(history& to, names& by_key, const gnomon::typed_record& event) {
  if (event.record_type != gnomon::record_type::event
      || event.value_type != gnomon::value_type::timer)
    return;
  if (event.intent.value == gnomon::v1::TIMER_INTENT_CREATED)
    note_created(to, by_key, event);
  else if (event.intent.value == gnomon::v1::TIMER_INTENT_TRIGGERED)
    note_triggered(to, by_key, event);
  else if (event.intent.value == gnomon::v1::TIMER_INTENT_SKIPPED)
    note_skipped(to, by_key, event);
}

gnomon::result<void> read_log(history& to, const std::filesystem::path& data,
                              std::uint16_t id) {
  using namespace gnomon::storage;
  auto& files = system_files();
  auto directory
    = partition_directory::open(files, data, {{id}, partition_count});
  if (!directory)
    return directory.error();
  auto reader = log_reader::open(files, directory->log_directory(),
                                 directory->identity().log, {1});
  if (!reader)
    return reader.error();
  names by_key;
  for (;;) {
    auto frame = (*reader)->next(read_all_written);
    if (!frame)
      return frame.error();
    if (!*frame)
      return {};
    auto rest = (*frame)->body;
    for (auto at = (*frame)->header.first; !rest.empty(); at = at.next()) {
      auto record = gnomon::messages::decode_record(rest, at);
      if (!record)
        return record.error();
      note(to, by_key, *record);
    }
  }
}

void read_deliveries(history& to, const std::filesystem::path& data) {
  std::ifstream in{data / deliveries_file};
  std::int64_t due = 0;
  std::int64_t at = 0;
  for (occurrence_id which; in >> which.first >> which.second >> due >> at;)
    ++to.delivered[which];
}

} // namespace

gnomon::result<history> read_history(const std::filesystem::path& data) {
  history result;
  for (std::uint16_t id = 1; id <= partition_count; ++id)
    if (auto done = read_log(result, data, id); !done)
      return done.error();
  read_deliveries(result, data);
  return result;
}

} // namespace reminders
