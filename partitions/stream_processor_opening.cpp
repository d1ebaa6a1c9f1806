// How a stream processor comes to life: recovery behind the storage.

#include "engine/replay_state_machine.hpp"
#include "storage/log_reader.hpp"

#include "partitions/library_processors.hpp"
#include "partitions/stream_processor.hpp"
#include <algorithm>
#include <exception>

namespace gnomon::partitions {

namespace {

engine::engine_options engine_options_of(const partition_options& from) {
  engine::engine_options result;
  result.commands_per_batch_max = from.commands_per_batch_max;
  result.batch_bytes_max = from.batch_bytes_max;
  result.in_flight_max = from.in_flight_max;
  result.idempotency_window = from.idempotency_window;
  return result;
}

result<void> check(const partition_options& options) {
  const auto refuse = [](const std::string& expected) {
    return result<void>{errc::invalid_argument,
                        "open a partition: expected " + expected};
  };
  if (!options.id.valid() || options.id.value > options.partition_count)
    return refuse("an id from 1 to partition_count ("
                  + std::to_string(options.partition_count) + "), but found "
                  + std::to_string(options.id.value));
  if (options.resolution < duration{1} || options.resolution > duration{60'000})
    return refuse("a resolution from 1 ms to 60 s, but found "
                  + std::to_string(options.resolution.count()) + " ms");
  constexpr auto batch_bytes_min = engine::engine_options::batch_bytes_min;
  if (options.batch_bytes_max < batch_bytes_min)
    return refuse("batch_bytes_max to be at least "
                  + std::to_string(batch_bytes_min) + ", but found "
                  + std::to_string(options.batch_bytes_max));
  if (options.segment_bytes < 2 * options.batch_bytes_max)
    return refuse("segment_bytes to be at least twice batch_bytes_max ("
                  + std::to_string(options.batch_bytes_max) + "), but found "
                  + std::to_string(options.segment_bytes));
  if (options.commands_per_batch_max == 0 || options.in_flight_max == 0
      || options.jobs_per_activation_max == 0)
    return refuse("commands_per_batch_max, in_flight_max and "
                  "jobs_per_activation_max above 0");
  return {};
}

/// Their events must fit a batch: a proposal that outgrows it would be rejected
/// and made again for ever.
std::uint32_t jobs_per_proposal_max(const partition_options& options) {
  constexpr std::size_t activated_bytes_max = 128;
  return static_cast<std::uint32_t>(
    std::min<std::size_t>(options.jobs_per_activation_max,
                          options.batch_bytes_max / activated_bytes_max));
}

} // namespace

stream_processor::stream_processor(const clock& time, partition_options options,
                                   std::unique_ptr<partition_storage> storage)
  : time_(time), options_(std::move(options)), storage_(std::move(storage)),
    clock_(time, {.clock_jump_max = options_.clock_jump_max,
                  .clock_confirm = options_.clock_confirm}),
    due_(options_.resolution), dispatcher_(jobs_per_proposal_max(options_)),
    snapshots_(options_.snapshot_log_bytes) {
  // nop
}

stream_processor::~stream_processor() = default;

result<std::unique_ptr<stream_processor>>
stream_processor::open(storage::file_system& files, const clock& time,
                       partition_options options) {
  if (auto valid = check(options); !valid)
    return valid.error();
  auto storage = partition_storage::open(files, options);
  if (!storage)
    return storage.error();
  std::unique_ptr<stream_processor> opened{
    new stream_processor(time, std::move(options), std::move(*storage))};
  if (auto done = opened->make_processors(); !done)
    return done.error();
  const auto replay_begin = time.monotonic();
  auto from = opened->replay();
  if (!from)
    return from.error();
  opened->metrics_.replay_us = microseconds_since(time, replay_begin);
  const auto engine = engine_options_of(opened->options_);
  opened->clock_.restore(from->book.partition_time);
  opened->pending_
    = std::make_unique<engine::command_queue>(*opened->map_, engine);
  opened->machine_ = std::make_unique<engine::processing_state_machine>(
    *opened->map_, opened->storage_->state(), opened->storage_->log(),
    opened->options_.id, std::move(*from), engine);
  if (auto done = opened->begin_epoch(); !done)
    return done.error();
  return opened;
}

result<void> stream_processor::make_processors() {
  processors_ = library_processors(options_);
  const auto library_count = processors_.size();
  if (auto done = add_processors_of_user(); !done)
    return done;
  std::vector<record_processor*> borrowed;
  for (const auto& owned : processors_)
    borrowed.push_back(owned.get());
  auto map = engine::record_processor_map::make(borrowed, library_count);
  if (!map)
    return map.error();
  map_.emplace(std::move(*map));
  return {};
}

result<void> stream_processor::add_processors_of_user() {
  if (!options_.processors)
    return {};
  std::vector<std::unique_ptr<record_processor>> added;
  try {
    added = options_.processors();
  } catch (const std::exception& what) {
    return {errc::processing_failed,
            std::string{"make the processors: "} + what.what()};
  } catch (...) {
    return {errc::processing_failed, "make the processors: unknown exception"};
  }
  for (auto& each : added) {
    if (!each)
      return {errc::invalid_argument,
              "make the processors: expected one, but found null"};
    processors_.push_back(std::move(each));
  }
  return {};
}

result<engine::resume_point> stream_processor::replay() {
  auto book = storage_->bookkeeping();
  if (!book)
    return book.error();
  engine::replay_state_machine machine{*map_, storage_->state(), *book};
  auto& log = storage_->log();
  if (machine.read_from() <= log.last_position()) {
    const auto from = std::max(machine.read_from(), log.first_position());
    auto reader
      = storage::log_reader::open(storage_->files(), log.directory(),
                                  storage_->directory().identity().log, from);
    if (!reader)
      return reader.error();
    while ((*reader)->last_position() < log.last_position()) {
      auto frame = (*reader)->next(log.last_position());
      if (!frame)
        return frame.error();
      if (!*frame)
        break;
      const auto& header = (*frame)->header;
      if (auto done = machine.replay({{header.first, header.record_count,
                                       header.next_key, (*frame)->body},
                                      header.checksum});
          !done)
        return done.error();
    }
  }
  return machine.finish();
}

result<void> stream_processor::begin_epoch() {
  auto& log = storage_->log();
  const auto epoch = log.last_epoch() + 1;
  log.begin_epoch(epoch);
  auto opened = machine_->open_epoch(epoch, clock_.read().now);
  if (opened.failure)
    return *opened.failure;
  if (auto done = log.sync(); !done)
    return done;
  counts_.epoch = epoch;
  dispatcher_.begin_epoch(epoch);
  auto newest = storage_->snapshots().list();
  if (!newest)
    return newest.error();
  const auto snapshot = newest->empty() ? position{} : newest->back();
  const auto behind = std::ranges::count_if(
    log.segments(), [&](position first) { return first > snapshot; });
  snapshots_.restore(snapshot, static_cast<std::uint64_t>(behind)
                                 * options_.segment_bytes);
  auto state = view();
  if (!state)
    return state.error();
  due_.begin();
  return propose_all(dispatcher_.time_out_strangers(**state));
}

} // namespace gnomon::partitions
