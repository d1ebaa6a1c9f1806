#include "partitions/stream_processor.hpp"

#include "gnomon/v1/job.pb.h"
#include "jobs/job_options.hpp"
#include "jobs/job_queries.hpp"

#include <algorithm>

namespace gnomon::partitions {

namespace {

constexpr duration space_retry_delay{1'000};
constexpr duration suspect_retry_delay{10'000};
constexpr std::size_t overdue_max = 10'000;

bool is_answer_of_worker(const record& command) {
  if (command.value_type != value_type::job)
    return false;
  switch (command.intent.value) {
  case v1::JOB_INTENT_COMPLETE:
  case v1::JOB_INTENT_FAIL:
  case v1::JOB_INTENT_THROW_ERROR:
    return true;
  default:
    return false;
  }
}

// The lowest bit of the number of a request tells whose it is.
std::uint64_t request_number(std::uint64_t count,
                             engine::command_origin origin) {
  return count << 1 | (origin == engine::command_origin::client ? 1 : 0);
}

bool is_of_client(std::uint64_t request) {
  return (request & 1) != 0;
}

} // namespace

// -- the front door -----------------------------------------------------------

result<std::uint64_t> stream_processor::submit(record command) {
  // An answer that takes work away is never refused for want of room.
  const auto origin = is_answer_of_worker(command)
                        ? engine::command_origin::proposal
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
  return dispatcher_.add(with_timeout(std::move(what)));
}

void stream_processor::change(const std::string& worker,
                              job_dispatcher::subscription what) {
  dispatcher_.change(worker, with_timeout(std::move(what)));
}

void stream_processor::unsubscribe(const std::string& worker) {
  // One that is not known may have got jobs after it was forgotten.
  dispatcher_.remove(worker);
  if (auto state = view())
    // A proposal that is refused is made again when the jobs are timed out.
    static_cast<void>(propose_all(job_dispatcher::time_out(**state, worker)));
}

void stream_processor::release(const std::string& worker) {
  dispatcher_.remove(worker);
}

bool stream_processor::has_jobs(const std::string& worker) {
  auto state = view();
  return state && !jobs::jobs_of_worker(**state, worker, 1).empty();
}

job_dispatcher::subscription
stream_processor::with_timeout(job_dispatcher::subscription what) const {
  if (what.timeout <= duration{0})
    what.timeout = options_.job_timeout;
  // A longer one would be refused, and proposed again and again.
  what.timeout
    = std::min(what.timeout, duration{jobs::job_options{}.timeout_ms_max});
  return what;
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
  if (paused_ || suspect_ || is_waiting() || must_roll_ || is_rolling_)
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
  if (options_.metrics)
    metrics_.observe_lateness(due_.proposed(), now);
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
  const auto begin
    = options_.metrics ? time_.monotonic() : std::chrono::nanoseconds{0};
  auto batch = machine_->process_batch(*pending_, now);
  snapshots_.add(storage_->log().bytes_written() - written);
  counts_.commands += batch.commands;
  ++counts_.batches;
  std::ranges::move(batch.effects, std::back_inserter(effects_));
  switch (batch.status) {
  case engine::batch_status::processed:
    if (options_.metrics) {
      metrics_.count(machine_->last_kinds());
      metrics_.batch_commands.observe(batch.commands);
      metrics_.processing_us.observe(microseconds_since(time_, begin));
    }
    return step_end::progressed;
  case engine::batch_status::backing_off:
    wait_for(batch.back_off);
    return step_end::held;
  case engine::batch_status::out_of_space:
    wait_for(space_retry_delay);
    return step_end::held;
  case engine::batch_status::poisoned:
    break;
  }
  return *batch.failure;
}

void stream_processor::wait_for(duration delay) {
  wait_until_ = time_.monotonic() + delay;
  retry_at_ = time_.wall() + delay;
}

bool stream_processor::is_waiting() {
  if (!wait_until_)
    return false;
  const auto left
    = std::chrono::ceil<duration>(*wait_until_ - time_.monotonic());
  if (left > duration{0})
    retry_at_ = time_.wall() + left;
  else
    wait_until_ = std::nullopt;
  return wait_until_.has_value();
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
  if (options_.metrics)
    sync_begin_ = time_.monotonic();
  return log.begin_sync();
}

result<void> stream_processor::end_sync(const storage::sync_ticket& ticket,
                                        const result<void>& outcome) {
  is_syncing_ = false;
  ++counts_.syncs;
  if (options_.metrics)
    metrics_.sync_us.observe(microseconds_since(time_, sync_begin_));
  return storage_->log().end_sync(ticket, outcome);
}

std::optional<storage::spare_ticket> stream_processor::begin_spare() {
  if (!storage_->log().wants_spare())
    return std::nullopt;
  return storage_->log().begin_spare();
}

void stream_processor::end_spare(storage::spare_ticket& ticket,
                                 const result<void>& outcome) {
  storage_->log().end_spare(ticket, outcome);
}

std::optional<storage::roll_ticket> stream_processor::begin_roll() {
  if (!must_roll_ || is_rolling_ || wait_until_
      || storage_->log().is_making_spare())
    return std::nullopt;
  is_rolling_ = true;
  return storage_->log().begin_roll();
}

result<void> stream_processor::end_roll(storage::roll_ticket& ticket,
                                        const result<void>& outcome) {
  is_rolling_ = false;
  auto done = storage_->log().end_roll(ticket, outcome);
  if (!done && done.error().code == errc::out_of_space) {
    wait_for(space_retry_delay);
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
  ++metrics_.snapshots;
  if (!options_.compact || !outcome.compact_below)
    return {};
  auto compacted = storage_->log().compact(outcome.compact_below);
  if (!compacted)
    return compacted.error();
  metrics_.segments_compacted += *compacted;
  return {};
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

v1::Metrics stream_processor::current_metrics() {
  v1::Metrics result;
  result.set_partition_id(options_.id.value);
  metrics_.fill(result);
  const auto& log = storage_->log();
  result.set_log_bytes_written(log.bytes_written());
  result.set_segments(log.segments().size());
  if (auto state = view())
    describe_waiting(**state, now(), overdue_max, result);
  return result;
}

} // namespace gnomon::partitions
