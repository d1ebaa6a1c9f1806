#include "inspection/snapshot_taking.hpp"

#include "engine/record_processor_map.hpp"
#include "engine/replay_state_machine.hpp"

#include "inspection/log_access.hpp"
#include "partitions/library_processors.hpp"
#include "partitions/partition_storage.hpp"

namespace gnomon::inspection {

using namespace storage;
using partitions::partition_storage;

namespace {

/// Visits the frames from `from` to the end of the log.
result<void> walk(partition_storage& storage, position from,
                  const frame_visitor& visitor) {
  auto& log = storage.log();
  if (from > log.last_position())
    return {};
  auto reader = log_reader::open(storage.files(), log.directory(),
                                 storage.directory().identity().log,
                                 std::max(from, log.first_position()));
  if (!reader)
    return reader.error();
  while ((*reader)->last_position() < log.last_position()) {
    const auto frame = (*reader)->next(log.last_position());
    if (!frame)
      return frame.error();
    if (!*frame)
      break;
    const auto go_on = visitor(**frame);
    if (!go_on)
      return go_on.error();
    if (!*go_on)
      break;
  }
  return {};
}

result<bool> has_foreign_events(partition_storage& storage, position behind) {
  bool found = false;
  const auto see = [&](const typed_record& met) -> result<bool> {
    found = found
            || (met.record_type == record_type::event
                && static_cast<std::uint16_t>(met.value_type)
                     >= user_value_types_begin);
    return !found;
  };
  auto walked = walk(storage, behind.next(), [&](const frame_view& frame) {
    return frame.header.last() <= behind ? result<bool>{true}
                                         : visit_records(frame, see);
  });
  if (!walked)
    return walked.error();
  return found;
}

result<void> replay_rest(partition_storage& storage) {
  const auto book = storage.bookkeeping();
  if (!book)
    return book.error();
  if (book->last_applied == storage.log().last_position())
    return {};
  const auto foreign = has_foreign_events(storage, book->last_applied);
  if (!foreign)
    return foreign.error();
  if (*foreign)
    return {};
  const auto owned = partitions::library_processors({});
  std::vector<record_processor*> borrowed;
  for (const auto& each : owned)
    borrowed.push_back(each.get());
  const auto map = engine::record_processor_map::make(borrowed);
  if (!map)
    return map.error();
  engine::replay_state_machine machine{*map, storage.state(), *book};
  const auto apply = [&](const frame_view& frame) -> result<bool> {
    const auto& header = frame.header;
    const engine::replay_frame next{
      {header.first, header.record_count, header.next_key, frame.body},
      header.checksum};
    if (auto done = machine.replay(next); !done)
      return done.error();
    return true;
  };
  if (auto done = walk(storage, machine.read_from(), apply); !done)
    return done;
  return machine.commit();
}

result<position> publish(partition_storage& storage) {
  const auto copied = storage.snapshots().copy(storage.state());
  if (!copied)
    return copied.error();
  if (auto done = storage.snapshots().publish(copied->position(),
                                              storage.log().durable_position());
      !done)
    return done.error();
  if (auto retired = storage.snapshots().retire(); !retired)
    return retired.error();
  return copied->position();
}

} // namespace

result<taken_snapshot> take_snapshot(file_system& files,
                                     const partition_folder& folder) {
  const auto identity = identify(files, folder);
  if (!identity)
    return identity.error();
  partition_options options;
  options.directory = folder.root();
  options.id = identity->partition;
  options.partition_count = identity->partition_count;
  auto opened = partition_storage::open(files, options);
  if (!opened)
    return opened.error();
  if (auto done = replay_rest(**opened); !done)
    return done.error();
  const auto at = publish(**opened);
  // Whatever came of it: what is open is sound, and closed as such.
  auto closed = (*opened)->close();
  if (!at)
    return at.error();
  if (!closed)
    return closed.error();
  return taken_snapshot{*at, (*opened)->report()};
}

} // namespace gnomon::inspection
