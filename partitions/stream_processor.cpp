#include "partitions/stream_processor.hpp"

#include "engine/replay_state_machine.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/job_processor.hpp"
#include "storage/log_reader.hpp"
#include "timers/timer_processor.hpp"

#include <algorithm>

namespace gnomon::partitions {

namespace {

constexpr duration space_retry_delay{1'000};
constexpr duration suspect_retry_delay{10'000};

bool is_completion(const record& command) {
  return command.value_type == value_type::job
         && command.intent.value == v1::JOB_INTENT_COMPLETE;
}

// The lowest bit of the number of a request tells whose it is.
std::uint64_t request_number(std::uint64_t count,
                             engine::command_origin origin) {
  return count << 1 | (origin == engine::command_origin::client ? 1 : 0);
}

bool is_of_client(std::uint64_t request) {
  return (request & 1) != 0;
}

timers::timer_options timer_options_of(const partition_options& from) {
  timers::timer_options result;
  result.target_bytes_max = from.target_bytes_max;
  result.payload_bytes_max = from.payload_bytes_max;
  result.catch_up.catch_up_grace = from.catch_up_grace;
  result.catch_up.catch_up_max = from.catch_up_max;
  return result;
}

jobs::job_options job_options_of(const partition_options& from) {
  jobs::job_options result;
  result.type_bytes_max = from.target_bytes_max;
  result.payload_bytes_max = from.payload_bytes_max;
  return result;
}

engine::engine_options engine_options_of(const partition_options& from) {
  engine::engine_options result;
  result.commands_per_batch_max = from.commands_per_batch_max;
  result.batch_bytes_max = from.batch_bytes_max;
  result.in_flight_max = from.in_flight_max;
  result.idempotency_window = from.idempotency_window;
  return result;
}

} // namespace

// -- construction -------------------------------------------------------------

stream_processor::stream_processor(const clock& time, partition_options options,
                                   std::unique_ptr<partition_storage> storage)
  : time_(time), options_(std::move(options)), storage_(std::move(storage)),
    clock_(time, {.clock_jump_max = options_.clock_jump_max,
                  .clock_confirm = options_.clock_confirm}),
    due_(options_.resolution), snapshots_(options_.snapshot_log_bytes) {
  // nop
}

stream_processor::~stream_processor() = default;

result<std::unique_ptr<stream_processor>>
stream_processor::open(storage::file_system& files, const clock& time,
                       partition_options options) {
  auto storage = partition_storage::open(files, options);
  if (!storage)
    return storage.error();
  std::unique_ptr<stream_processor> opened{
    new stream_processor(time, std::move(options), std::move(*storage))};
  if (auto done = opened->make_processors(); !done)
    return done.error();
  auto from = opened->replay();
  if (!from)
    return from.error();
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
  processors_.push_back(
    std::make_unique<timers::timer_processor>(timer_options_of(options_)));
  processors_.push_back(
    std::make_unique<jobs::job_processor>(job_options_of(options_)));
  if (options_.processors)
    for (auto& added : options_.processors())
      processors_.push_back(std::move(added));
  std::vector<record_processor*> borrowed;
  for (const auto& owned : processors_)
    borrowed.push_back(owned.get());
  auto map = engine::record_processor_map::make(borrowed);
  if (!map)
    return map.error();
  map_.emplace(std::move(*map));
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

// -- the front door -----------------------------------------------------------

result<std::uint64_t> stream_processor::submit(record command) {
  // An answer that takes work away is never refused for want of room.
  const auto origin = is_completion(command) ? engine::command_origin::proposal
                                             : engine::command_origin::client;
  const auto request = request_number(last_request_ + 1, origin);
  if (auto done = pending_->offer({std::move(command), request, origin}); !done)
    return done.error();
  ++offered_;
  ++last_request_;
  return request;
}

void stream_processor::scan_due() {
  due_.begin();
}

std::string stream_processor::subscribe(job_dispatcher::subscription what) {
  if (what.timeout <= duration{0})
    what.timeout = options_.job_timeout;
  return dispatcher_.add(std::move(what));
}

void stream_processor::unsubscribe(const std::string& worker) {
  if (!dispatcher_.remove(worker))
    return;
  if (auto state = view())
    // A proposal that is refused is made again when the jobs are timed out.
    static_cast<void>(propose_all(job_dispatcher::time_out(**state, worker)));
}

result<void> stream_processor::propose_all(std::vector<record> commands) {
  for (auto& command : commands) {
    if (auto done = pending_->offer(
          {std::move(command), 0, engine::command_origin::proposal});
        !done)
      return done;
    ++offered_;
  }
  return {};
}

// -- the loop -----------------------------------------------------------------

result<stream_processor::step_end> stream_processor::step() {
  const auto reading = clock_.read();
  suspect_ = reading.suspect;
  retry_at_ = std::nullopt;
  if (suspect_)
    retry_at_ = time_.wall() + suspect_retry_delay;
  must_roll_ = storage_->log().must_roll(options_.batch_bytes_max);
  if (paused_ || suspect_ || must_roll_ || is_rolling_)
    return step_end::held;
  if (auto done = propose_due(reading.now); !done)
    return done.error();
  if (auto done = propose_jobs(); !done)
    return done.error();
  return has_work() ? process(reading.now) : step_end::idle;
}

result<void> stream_processor::propose_due(timestamp now) {
  if (!due_.active() || !proposals_settled(due_mark_))
    return {};
  auto state = view();
  if (!state)
    return state.error();
  auto done
    = propose_all(due_.propose(**state, now, options_.commands_per_batch_max));
  due_mark_ = offered_;
  return done;
}

result<void> stream_processor::propose_jobs() {
  if (dispatcher_.size() == 0 || !proposals_settled(jobs_mark_))
    return {};
  auto state = view();
  if (!state)
    return state.error();
  const auto before = offered_;
  auto done = propose_all(dispatcher_.propose(**state));
  if (offered_ != before)
    jobs_mark_ = offered_;
  return done;
}

result<stream_processor::step_end> stream_processor::process(timestamp now) {
  const auto written = storage_->log().bytes_written();
  auto batch = machine_->process_batch(*pending_, now);
  snapshots_.add(storage_->log().bytes_written() - written);
  counts_.commands += batch.commands;
  ++counts_.batches;
  std::ranges::move(batch.effects, std::back_inserter(effects_));
  switch (batch.status) {
  case engine::batch_status::processed:
    return step_end::progressed;
  case engine::batch_status::backing_off:
    retry_at_ = time_.wall() + batch.back_off;
    return step_end::held;
  case engine::batch_status::out_of_space:
    retry_at_ = time_.wall() + space_retry_delay;
    return step_end::held;
  case engine::batch_status::poisoned:
    break;
  }
  return *batch.failure;
}

bool stream_processor::has_work() const {
  return !pending_->empty() || machine_->outstanding_count() > 0;
}

bool stream_processor::proposals_settled(std::uint64_t mark) const {
  // Commands leave the queue in order, so this tells whether one has left it.
  return offered_ - pending_->size() >= mark;
}

std::optional<timestamp> stream_processor::next_due() {
  if (retry_at_)
    return retry_at_;
  if (paused_)
    return std::nullopt;
  auto state = view();
  if (!state)
    return std::nullopt;
  return due_.next(**state, clock_.read().now);
}

// -- durability ---------------------------------------------------------------

std::optional<storage::sync_ticket> stream_processor::begin_sync() {
  const auto& log = storage_->log();
  if (is_syncing_ || log.durable_position() == log.last_position())
    return std::nullopt;
  is_syncing_ = true;
  return log.begin_sync();
}

result<void> stream_processor::end_sync(const storage::sync_ticket& ticket,
                                        const result<void>& outcome) {
  is_syncing_ = false;
  ++counts_.syncs;
  return storage_->log().end_sync(ticket, outcome);
}

std::optional<storage::roll_ticket> stream_processor::begin_roll() {
  if (!must_roll_ || is_rolling_)
    return std::nullopt;
  is_rolling_ = true;
  return storage_->log().begin_roll();
}

result<void> stream_processor::end_roll(storage::roll_ticket& ticket,
                                        const result<void>& outcome) {
  is_rolling_ = false;
  auto done = storage_->log().end_roll(ticket, outcome);
  if (!done && done.error().code == errc::out_of_space) {
    retry_at_ = time_.wall() + space_retry_delay;
    return {};
  }
  return done;
}

std::vector<engine::effect> stream_processor::take_effects() {
  const auto durable = durable_position();
  const auto end = std::ranges::find_if(
    effects_, [&](const auto& effect) { return effect.after > durable; });
  std::vector<engine::effect> result;
  result.reserve(static_cast<std::size_t>(end - effects_.begin()));
  while (!effects_.empty() && effects_.front().after <= durable) {
    result.push_back(std::move(effects_.front().what));
    effects_.pop_front();
    const auto* reply = std::get_if<engine::reply>(&result.back());
    if (reply && is_of_client(reply->request))
      pending_->acknowledge();
  }
  return result;
}

// -- operator -----------------------------------------------------------------

void stream_processor::pause() {
  paused_ = true;
  due_.reset();
}

void stream_processor::resume() {
  paused_ = false;
  due_.begin();
}

void stream_processor::confirm_clock() {
  clock_.confirm();
  due_.begin();
}

bool stream_processor::wants_snapshot() const {
  return snapshots_.is_due();
}

result<void>
stream_processor::end_snapshot(const storage::snapshot_retirement& outcome) {
  if (!outcome.kept.empty())
    snapshots_.taken(outcome.kept.back());
  if (!options_.compact || !outcome.compact_below)
    return {};
  auto compacted = storage_->log().compact(outcome.compact_below);
  return compacted ? result<void>{} : compacted.error();
}

result<void> stream_processor::close() {
  machine_ = nullptr;
  return storage_->close();
}

result<void> stream_processor::distrust() {
  return storage_->distrust();
}

// -- queries ------------------------------------------------------------------

result<std::unique_ptr<state_reader>> stream_processor::view() {
  return storage_->state().reader();
}

position stream_processor::applied_position() const {
  return machine_->bookkeeping().last_applied;
}

position stream_processor::durable_position() const {
  return storage_->log().durable_position();
}

timestamp stream_processor::now() {
  return clock_.read().now;
}

stream_processor::status stream_processor::current_status() const {
  auto result = counts_;
  result.last = storage_->log().last_position();
  result.durable = durable_position();
  result.last_processed = machine_->bookkeeping().last_processed;
  result.pending = pending_->size() + machine_->outstanding_count();
  result.in_flight = pending_->in_flight();
  result.workers = dispatcher_.size();
  result.log_bytes = snapshots_.grown();
  result.snapshot = snapshots_.newest();
  result.clock_suspect = suspect_;
  return result;
}

} // namespace gnomon::partitions
