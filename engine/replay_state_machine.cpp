#include "engine/replay_state_machine.hpp"

#include "engine/applier.hpp"
#include "engine/key_generator.hpp"
#include "engine/own_record.hpp"
#include "engine/record_processor_map.hpp"
#include "gnomon/check.hpp"
#include "messages/record_codec.hpp"

#include <algorithm>
#include <string>

namespace gnomon::engine {

namespace {

std::string frame_name(const storage::frame_body& body) {
  return "replay frame at position " + std::to_string(body.first.value);
}

position last_of(const storage::frame_body& body) {
  return {body.first.value + body.record_count - 1};
}

} // namespace

replay_state_machine::replay_state_machine(
  const record_processor_map& processors, storage::state_store_port& store,
  storage::state_bookkeeping from, std::size_t records_per_commit_max)
  : processors_(&processors), store_(&store), book_(from),
    records_per_commit_max_(records_per_commit_max) {
  GNOMON_CHECK(from.last_processed <= from.last_applied);
  GNOMON_CHECK(records_per_commit_max >= 1);
}

position replay_state_machine::read_from() const {
  return std::min(book_.last_processed, book_.last_applied).next();
}

result<void> replay_state_machine::replay(const replay_frame& frame) {
  const auto& body = frame.body;
  if (auto checked = check_follows(body); !checked)
    return fail(checked.error());
  const auto last = last_of(body);
  const auto applied = last <= book_.last_applied;
  if (!applied)
    if (auto begun = ensure_transaction(); !begun)
      return fail(begun.error());
  if (auto done = apply_records(body, applied); !done)
    return fail(done.error());
  collect_outstanding(body);
  expected_ = last.next();
  if (applied)
    return {};
  book_.last_applied = last;
  book_.chain = frame.chain;
  book_.next_key = body.next_key;
  // As in live processing: nothing up to here needs to be read again.
  if (outstanding_.empty())
    book_.last_processed = last;
  uncommitted_ += body.record_count;
  return uncommitted_ < records_per_commit_max_ ? result<void>{} : commit();
}

result<void>
replay_state_machine::check_follows(const storage::frame_body& body) const {
  if (body.record_count == 0 || !body.first)
    return {errc::corrupted, frame_name(body) + ": it has no records"};
  if (expected_ ? body.first != expected_ : body.first > read_from())
    return {errc::corrupted,
            frame_name(body) + ": expected position "
              + std::to_string((expected_ ? expected_ : read_from()).value)};
  if (body.first <= book_.last_applied && last_of(body) > book_.last_applied)
    return {errc::corrupted, frame_name(body)
                               + ": the state ends inside of it, at position "
                               + std::to_string(book_.last_applied.value)};
  if (!key_generator::valid_counter(body.next_key))
    return {errc::corrupted, frame_name(body) + ": bad counter of keys"};
  if (last_of(body) > book_.last_applied && body.next_key < book_.next_key)
    return {errc::corrupted, frame_name(body) + ": counter of keys falls"};
  return {};
}

result<void>
replay_state_machine::apply_records(const storage::frame_body& body,
                                    bool applied) {
  commands_.clear();
  command_ = {};
  auto rest = body.records;
  for (auto at = body.first; at <= last_of(body); at = at.next()) {
    const auto offset = body.records.size() - rest.size();
    auto met = messages::decode_record(rest, at);
    if (!met)
      return met.error();
    if (met->record_type == record_type::command)
      commands_.push_back({at, offset});
    if (applied)
      continue;
    if (auto done = apply(*met); !done)
      return done;
  }
  if (!rest.empty())
    return {errc::corrupted, frame_name(body) + ": bytes behind its records"};
  return {};
}

result<void> replay_state_machine::apply(const typed_record& met) {
  book_.partition_time = std::max(book_.partition_time, met.timestamp);
  if (met.record_type == record_type::command) {
    command_ = met;
    return {};
  }
  // An answer to be remembered stands behind its command, in the same frame.
  if (!met.idempotency_key.empty()
      && (!met.source_position || met.source_position != command_.position))
    return {errc::corrupted, "replay record "
                               + std::to_string(met.position.value)
                               + ": its command is not before it"};
  if (auto done = apply_outcome(*processors_, *state_, command_, met); !done)
    return done;
  if (state_->failure())
    return *state_->failure();
  book_.last_processed = std::max(book_.last_processed, met.source_position);
  return {};
}

void replay_state_machine::collect_outstanding(
  const storage::frame_body& body) {
  const auto processed = book_.last_processed;
  while (!outstanding_.empty() && outstanding_.front().position <= processed)
    outstanding_.pop_front();
  for (const auto& logged : commands_) {
    if (logged.position <= processed)
      continue;
    auto encoded = body.records.substr(logged.offset);
    const auto command = messages::decode_record(encoded, logged.position);
    GNOMON_CHECK(command);
    outstanding_.push_back(own_record(*command));
  }
}

result<void> replay_state_machine::ensure_transaction() {
  if (state_)
    return {};
  auto begun = store_->begin();
  if (!begun)
    return begun.error();
  state_ = std::move(*begun);
  return {};
}

result<void> replay_state_machine::commit() {
  if (!state_)
    return {};
  storage::bookkeeping::store(*state_, book_);
  if (state_->failure())
    return fail(*state_->failure());
  auto committed = state_->commit();
  state_.reset();
  uncommitted_ = 0;
  return committed;
}

result<resume_point> replay_state_machine::finish() {
  if (outstanding_.empty() && book_.last_processed != book_.last_applied)
    return fail({errc::lost_data,
                 "replay: expected outstanding commands behind position "
                   + std::to_string(book_.last_processed.value)
                   + ", but the log was not read from there"})
      .error();
  if (auto committed = commit(); !committed)
    return committed.error();
  for (const auto& command : outstanding_)
    if (!processors_->find(command))
      return gnomon::error{errc::format_too_new,
                           "replay command at position "
                             + std::to_string(command.position.value)
                             + ": no processor decides it"};
  return resume_point{book_, std::move(outstanding_)};
}

result<void> replay_state_machine::fail(gnomon::error why) {
  if (state_)
    state_->abort();
  state_.reset();
  return why;
}

} // namespace gnomon::engine
