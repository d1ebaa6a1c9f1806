#include "inspection/log_replay.hpp"

#include "gnomon/check.hpp"
#include "storage/snapshot_store.hpp"

#include "inspection/log_access.hpp"
#include "partitions/library_processors.hpp"
#include <utility>

namespace gnomon::inspection {

using namespace storage;

// -- foreign_processor --------------------------------------------------------

bool foreign_processor::accepts(value_type type, intent,
                                record_type kind) const {
  return kind == record_type::event
         && static_cast<std::uint16_t>(type) >= user_value_types_begin;
}

void foreign_processor::process(const typed_record&, result_builder&) {
  // Decides nothing, so it is never asked.
  GNOMON_CHECK(false);
}

void foreign_processor::replay(const typed_record& event, state_transaction&) {
  met_.insert(event.value_type);
}

processing_error foreign_processor::on_processing_error(const error&,
                                                        const typed_record&,
                                                        result_builder&) {
  return processing_error::reject;
}

// -- log_replay ---------------------------------------------------------------

log_replay::log_replay(file_system& files, partition_folder folder, log_id id)
  : files_(files), folder_(std::move(folder)), id_(id) {
  // nop
}

log_replay::~log_replay() = default;

result<std::unique_ptr<log_replay>>
log_replay::begin(file_system& files, const partition_folder& folder, log_id id,
                  position from, const path& scratch) {
  std::unique_ptr<log_replay> begun{new log_replay{files, folder, id}};
  if (auto done = begun->make_processors(); !done)
    return done.error();
  if (auto done = begun->open_state(from, scratch); !done)
    return done.error();
  return begun;
}

result<void> log_replay::make_processors() {
  processors_ = partitions::library_processors({});
  auto foreign = std::make_unique<foreign_processor>();
  foreign_ = foreign.get();
  processors_.push_back(std::move(foreign));
  std::vector<record_processor*> borrowed;
  for (const auto& owned : processors_)
    borrowed.push_back(owned.get());
  auto map = engine::record_processor_map::make(borrowed);
  if (!map)
    return map.error();
  map_ = std::make_unique<engine::record_processor_map>(std::move(*map));
  return {};
}

result<void> log_replay::open_state(position from, const path& scratch) {
  const auto where = scratch / "state";
  if (from) {
    snapshot_store snapshots{files_, folder_.snapshots_directory(), id_};
    if (auto restored = snapshots.restore(from, where); !restored)
      return restored.error();
  }
  auto opened = state_store::open(where);
  if (!opened)
    return opened.error();
  state_ = std::move(*opened);
  auto view = state_->reader();
  if (!view)
    return view.error();
  auto book = bookkeeping::load(**view);
  if (!book)
    return book.error();
  const auto at = book->value_or(state_bookkeeping{});
  if (at.last_processed > at.last_applied)
    return {errc::corrupted, "read bookkeeping of snapshot "
                               + std::to_string(from.value)
                               + ": processed behind what is applied"};
  machine_ = std::make_unique<engine::replay_state_machine>(*map_, *state_, at);
  return {};
}

result<void> log_replay::run_to(position target, progress& watcher) {
  if (!reader_) {
    auto opened = read_log(files_, folder_, id_, machine_->read_from());
    if (!opened)
      return opened.error();
    reader_ = std::move(*opened);
  }
  while (reader_->last_position() < target) {
    auto frame = reader_->next(target);
    if (!frame)
      return frame.error();
    if (!*frame)
      break;
    const auto& header = (*frame)->header;
    const engine::replay_frame next{
      {header.first, header.record_count, header.next_key, (*frame)->body},
      header.checksum};
    if (auto done = machine_->replay(next); !done)
      return done;
    if (target != read_all_written)
      watcher.report("replay", header.last().value, target.value);
  }
  return machine_->commit();
}

} // namespace gnomon::inspection
