#include "history.hpp"

#include "messages/record_codec.hpp"
#include "storage/log_reader.hpp"
#include "storage/partition_directory.hpp"
#include "storage/system_file_system.hpp"

#include "service.hpp"
#include <fstream>
#include <gnomon/v1/timer.pb.h>
#include <sstream>

namespace reminders {

namespace {

using gnomon::errc;
using gnomon::typed_record;

/// Notes the records of one log.
class log_notes {
public:
  explicit log_notes(history& to) : to_(to) {
    // nop
  }

  gnomon::result<void> add(const typed_record& what) {
    if (what.value_type != gnomon::value_type::timer)
      return {};
    if (what.record_type == gnomon::record_type::command)
      return add_command(what);
    if (what.record_type != gnomon::record_type::event)
      return {};
    switch (what.intent.value) {
    case gnomon::v1::TIMER_INTENT_CREATED:
      return add_created(what);
    case gnomon::v1::TIMER_INTENT_TRIGGERED:
      return add_triggered(what);
    case gnomon::v1::TIMER_INTENT_SKIPPED:
      return add_skipped(what);
    default:
      return {};
    }
  }

private:
  static gnomon::error unreadable(const typed_record& what) {
    return {errc::corrupted,
            "read the event at " + std::to_string(what.position.value)};
  }

  gnomon::result<void> add_command(const typed_record& what) {
    if (what.intent.value == gnomon::v1::TIMER_INTENT_CREATE)
      accepted_[what.position.value] = what.timestamp;
    return {};
  }

  gnomon::result<void> add_created(const typed_record& event) {
    gnomon::v1::TimerCreated value;
    const auto command = accepted_.find(event.source_position.value);
    if (!event.parse(value) || command == accepted_.end())
      return unreadable(event);
    names_[event.key.value] = value.name();
    auto& entry = to_.entries[value.name()];
    if (++entry.times_created == 1) {
      entry.key = event.key.value;
      entry.accepted = command->second;
    }
    return {};
  }

  gnomon::result<void> add_triggered(const typed_record& event) {
    gnomon::v1::TimerTriggered value;
    auto* entry = entry_of(event);
    if (entry == nullptr || !event.parse(value))
      return unreadable(event);
    if (!entry->triggered.emplace(value.occurrence(), event.timestamp).second)
      ++entry->triggered_again;
    return {};
  }

  gnomon::result<void> add_skipped(const typed_record& event) {
    gnomon::v1::TimerSkipped value;
    auto* entry = entry_of(event);
    if (entry == nullptr || !event.parse(value))
      return unreadable(event);
    entry->skipped[value.first_occurrence()] = value.count();
    return {};
  }

  entry_history* entry_of(const typed_record& event) {
    const auto name = names_.find(event.key.value);
    return name != names_.end() ? &to_.entries[name->second] : nullptr;
  }

  history& to_;

  /// Timestamps of the commands that create timers, by their positions.
  std::map<std::uint64_t, gnomon::timestamp> accepted_;

  /// By the keys of the timers.
  std::map<std::uint64_t, std::string> names_;
};

gnomon::result<void> read_frame(log_notes& to,
                                const gnomon::storage::frame_view& frame) {
  auto rest = frame.body;
  for (auto at = frame.header.first; !rest.empty(); at = at.next()) {
    auto record = gnomon::messages::decode_record(rest, at);
    if (!record)
      return record.error();
    if (auto done = to.add(*record); !done)
      return done;
  }
  return {};
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
  log_notes notes{to};
  for (;;) {
    auto frame = (*reader)->next(read_all_written);
    if (!frame)
      return frame.error();
    if (!*frame)
      return {};
    if (auto done = read_frame(notes, **frame); !done)
      return done;
  }
}

} // namespace

void read_deliveries(history& to, std::istream& from) {
  for (std::string line; std::getline(from, line) && !from.eof();) {
    std::istringstream words{line};
    occurrence_id which;
    std::uint64_t job = 0;
    if (words >> which.first >> which.second >> job)
      ++to.delivered[which][job];
  }
}

gnomon::result<history> read_history(const std::filesystem::path& data) {
  history result;
  for (std::uint16_t id = 1; id <= partition_count; ++id)
    if (auto done = read_log(result, data, id); !done)
      return done.error();
  std::ifstream deliveries{data / deliveries_file};
  read_deliveries(result, deliveries);
  return result;
}

} // namespace reminders
