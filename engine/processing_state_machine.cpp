#include "engine/processing_state_machine.hpp"

#include "gnomon/check.hpp"
#include "gnomon/v1/partition.pb.h"

#include <algorithm>

namespace gnomon::engine {

processing_state_machine::processing_state_machine(
  const record_processor_map& processors, storage::state_store_port& store,
  storage::frame_log& log, partition_id owner, resume_point from,
  engine_options options)
  : processors_(&processors), store_(&store), log_(&log), options_(options),
    keys_(owner, from.book.next_key), book_(from.book),
    outstanding_(std::move(from.outstanding)), batch_(options.batch_bytes_max),
    retries_(options.attempts_max, options.back_off_min, options.back_off_max),
    limit_(options.commands_per_batch_max) {
  GNOMON_CHECK(log.last_position() == book_.last_applied);
  GNOMON_CHECK(options.commands_per_batch_max >= 1);
  GNOMON_CHECK(options.batch_bytes_max >= engine_options::batch_bytes_min);
}

// -- batches ------------------------------------------------------------------

batch_result processing_state_machine::process_batch(command_queue& pending,
                                                     timestamp now) {
  if (poison_)
    return poison(*poison_);
  if (pending.empty() && outstanding_.size() == 0)
    return {};
  for (;;) {
    stamp_ = std::max(now, book_.partition_time);
    auto limit = limit_;
    if (held_.commands > 0) {
      stamp_ = std::max(held_.stamp, book_.partition_time);
      limit = std::min(limit, held_.commands);
    }
    auto tried = try_batch(pending, limit);
    if (tried.status != attempt_status::failed)
      return conclude(std::move(tried), &pending);
    undo();
    const auto calls_for = remedy_for(tried.failure->code);
    // A state that does not even open is no fault of a command.
    if (calls_for == remedy::poison
        || (calls_for == remedy::ask_processor && tried.commands == 0))
      return poison(std::move(*tried.failure));
    held_ = {stamp_, std::max(held_.commands, tried.commands)};
    if (tried.commands <= 1)
      return resolve(pending, std::move(*tried.failure));
    limit_ = tried.commands / 2;
  }
}

batch_result processing_state_machine::open_epoch(std::uint64_t epoch,
                                                  timestamp now) {
  if (poison_)
    return poison(*poison_);
  stamp_ = std::max(now, book_.partition_time);
  auto state = begin();
  if (!state)
    return poison(state.error());
  v1::PartitionOpened opened;
  opened.set_epoch(epoch);
  opened.set_idempotency_window_ms(options_.idempotency_window.count());
  step work{context(**state)};
  work.append_event({}, value_type::partition, {v1::PARTITION_INTENT_OPENED},
                    opened.SerializeAsString());
  if (work.failure())
    return poison(*work.failure());
  return conclude(write(**state, work, {}), nullptr);
}

result<processing_state_machine::transaction_ptr>
processing_state_machine::begin() {
  batch_.begin(log_->last_position().next());
  // Most commands have one effect, their reply.
  effects_.reserve(effects_last_);
  return store_->begin();
}

step_context
processing_state_machine::context(storage::write_transaction& state) {
  return {*processors_, state, batch_, keys_, outstanding_, effects_, stamp_};
}

processing_state_machine::attempt
processing_state_machine::try_batch(const command_queue& pending,
                                    std::size_t limit) {
  auto state = begin();
  if (!state)
    return {attempt_status::failed, 0, 0, state.error()};
  step work{context(**state)};
  auto tried = process_commands(work, pending, limit);
  if (tried.status != attempt_status::done) {
    (*state)->abort();
    return tried;
  }
  return write(**state, work, std::move(tried));
}

processing_state_machine::attempt processing_state_machine::process_commands(
  step& work, const command_queue& pending, std::size_t limit) {
  attempt tried;
  std::size_t largest = 0;
  while (tried.commands < limit) {
    const auto before = batch_.size_bytes();
    // Rather a shorter frame than one that must be undone for its size.
    if (tried.commands > 0 && before + largest > options_.batch_bytes_max)
      break;
    if (const auto* follow_up = outstanding_.take())
      work.process(*follow_up);
    else if (tried.from_queue < pending.size())
      work.process(pending[tried.from_queue++]);
    else
      break;
    ++tried.commands;
    largest = std::max(largest, batch_.size_bytes() - before);
    if (work.failure()) {
      tried.status = attempt_status::failed;
      tried.failure = work.failure();
      break;
    }
  }
  return tried;
}

processing_state_machine::attempt
processing_state_machine::write(storage::write_transaction& state,
                                const step& work, attempt done) {
  const auto failed = [&](attempt_status status, const error& why) {
    state.abort();
    done.status = status;
    done.failure = why;
    return done;
  };
  // A batch of nothing but repeats has no frame.
  if (batch_.empty()) {
    state.abort();
    next_book_ = book_;
    return done;
  }
  const auto chain = log_->seal(batch_.body(keys_.next_counter()));
  if (!chain)
    return failed(attempt_status::poisoned, chain.error());
  next_book_ = bookkeeping_behind(work, *chain);
  storage::bookkeeping::store(state, next_book_);
  if (state.failure())
    return failed(attempt_status::failed, *state.failure());
  if (auto written = log_->write(); !written)
    return failed(written.error().code == errc::out_of_space
                    ? attempt_status::out_of_space
                    : attempt_status::poisoned,
                  written.error());
  // From here on the records are in the log: there is no way back.
  if (auto committed = state.commit(); !committed) {
    done.status = attempt_status::poisoned;
    done.failure = committed.error();
  }
  return done;
}

storage::state_bookkeeping
processing_state_machine::bookkeeping_behind(const step& work,
                                             storage::chain_value chain) const {
  const auto last = batch_.last();
  // With nothing outstanding, nothing up to here needs to be read again.
  const auto processed
    = outstanding_.size() == 0
        ? last
        : std::max(book_.last_processed, work.last_processed());
  return {last, chain, processed, keys_.next_counter(), stamp_};
}

// -- endings ------------------------------------------------------------------

batch_result processing_state_machine::conclude(attempt tried,
                                                command_queue* pending) {
  switch (tried.status) {
  case attempt_status::done:
    return keep(tried, pending);
  case attempt_status::out_of_space: {
    undo();
    batch_result stalled;
    stalled.status = batch_status::out_of_space;
    stalled.more_work = true;
    stalled.failure = std::move(tried.failure);
    return stalled;
  }
  default:
    undo();
    return poison(std::move(*tried.failure));
  }
}

batch_result processing_state_machine::keep(const attempt& done,
                                            command_queue* pending) {
  batch_result to;
  if (!batch_.empty()) {
    to.first = book_.last_applied.next();
    to.last = batch_.last();
  }
  book_ = next_book_;
  outstanding_.keep();
  if (pending)
    pending->pop(done.from_queue);
  to.commands = done.commands;
  effects_last_ = effects_.size();
  to.effects = std::move(effects_);
  effects_.clear();
  for (auto& each : to.effects)
    if (!each.after)
      each.after = to.last;
  to.more_work = outstanding_.size() > 0 || (pending && !pending->empty());
  retries_.reset();
  held_.commands -= std::min(held_.commands, done.commands);
  limit_ = std::min(limit_ * 2, options_.commands_per_batch_max);
  return to;
}

void processing_state_machine::undo() {
  keys_ = key_generator{keys_.owner(), book_.next_key};
  outstanding_.undo();
  effects_.clear();
}

batch_result processing_state_machine::poison(gnomon::error why) {
  poison_ = why;
  batch_result stopped;
  stopped.status = batch_status::poisoned;
  stopped.failure = std::move(why);
  return stopped;
}

// -- failures of one command --------------------------------------------------

batch_result processing_state_machine::resolve(command_queue& pending,
                                               gnomon::error what) {
  if (remedy_for(what.code) == remedy::wait) {
    if (const auto wait = retries_.failed())
      return back_off(std::move(what), *wait);
    return poison(std::move(what));
  }
  // Nothing a processor says would make the records fit.
  if (what.code == errc::exceeded_batch_size)
    return give_up(pending, what, ask_processor::no);
  return give_up(pending, what, ask_processor::yes);
}

batch_result processing_state_machine::give_up(command_queue& pending,
                                               const gnomon::error& what,
                                               ask_processor ask) {
  auto chosen = processing_error::reject;
  auto tried = try_rejection(pending, what, ask, chosen);
  if (tried.status != attempt_status::failed)
    return conclude(std::move(tried), &pending);
  undo();
  const auto wants_retry = chosen == processing_error::retry;
  const auto& cause = wants_retry ? what : *tried.failure;
  if (wants_retry || remedy_for(cause.code) == remedy::wait)
    if (const auto wait = retries_.failed())
      return back_off(cause, *wait);
  if (ask == ask_processor::no)
    return poison(cause);
  // It has been tried often enough, or its processor failed about it too.
  return give_up(pending, what, ask_processor::no);
}

processing_state_machine::attempt processing_state_machine::try_rejection(
  const command_queue& pending, const gnomon::error& what, ask_processor ask,
  processing_error& chosen) {
  auto state = begin();
  if (!state)
    return {attempt_status::failed, 0, 0, state.error()};
  step work{context(**state)};
  attempt tried{attempt_status::done, 1, 0, {}};
  if (const auto* follow_up = outstanding_.take())
    chosen = work.give_up(*follow_up, what, ask);
  else
    chosen = work.give_up(pending[tried.from_queue++], what, ask);
  if (chosen != processing_error::retry && !work.failure())
    return write(**state, work, std::move(tried));
  (*state)->abort();
  tried.status = attempt_status::failed;
  tried.failure = work.failure().value_or(what);
  return tried;
}

batch_result processing_state_machine::back_off(gnomon::error why,
                                                duration wait) const {
  batch_result waiting;
  waiting.status = batch_status::backing_off;
  waiting.more_work = true;
  waiting.back_off = wait;
  waiting.failure = std::move(why);
  return waiting;
}

} // namespace gnomon::engine
