#include "engine/engine_processor.hpp"

#include "engine/bans.hpp"
#include "engine/idempotency.hpp"
#include "gnomon/due_index.hpp"
#include "gnomon/v1/partition.pb.h"

namespace gnomon::engine {

namespace {

/// Due dates that one command promotes: work of a few milliseconds.
constexpr std::uint32_t promoted_max = 1000;

constexpr bool is(intent what, int number) {
  return what.value == number;
}

void promote_due_dates(const typed_record& command, result_builder& out) {
  v1::DueDatesPromoted promoted;
  promoted.set_entries(
    due_index::promotable(out.state(), command.timestamp, promoted_max));
  if (promoted.entries() == 0)
    return out.reject(rejection_type::invalid_state,
                      "expected due dates of a day that begins soon, but there "
                      "are none");
  out.append_event({}, value_type::partition,
                   {v1::PARTITION_INTENT_DUE_DATES_PROMOTED},
                   promoted.SerializeAsString());
}

void apply_promoted(const typed_record& event, state_transaction& state) {
  v1::DueDatesPromoted promoted;
  if (event.parse(promoted))
    due_index::promote(state, promoted.entries());
}

void expire_answer(const typed_record& command, result_builder& out) {
  const auto due = idempotency::due_date(out.state(), {command.key.value});
  const auto source = std::to_string(command.key.value);
  if (!due)
    return out.reject(rejection_type::not_found,
                      "expected a remembered command at position " + source
                        + ", but there is none");
  if (command.timestamp < *due)
    return out.reject(rejection_type::invalid_state,
                      "expected the command at position " + source
                        + " to be due for expiry, but it is not yet");
  out.append_event(command.key, value_type::idempotency,
                   {v1::IDEMPOTENCY_INTENT_EXPIRED}, {});
}

void apply_opened(const typed_record& event, state_transaction& state) {
  v1::PartitionOpened opened;
  if (event.parse(opened) && opened.idempotency_window_ms() > 0)
    idempotency::set_window(state, duration{opened.idempotency_window_ms()});
}

} // namespace

bool engine_processor::accepts(value_type type, intent what,
                               record_type kind) const {
  if (kind == record_type::command)
    return (type == value_type::idempotency
            && is(what, v1::IDEMPOTENCY_INTENT_EXPIRE))
           || (type == value_type::partition
               && is(what, v1::PARTITION_INTENT_PROMOTE_DUE_DATES));
  if (kind != record_type::event)
    return false;
  switch (type) {
  case value_type::idempotency:
    return is(what, v1::IDEMPOTENCY_INTENT_EXPIRED);
  case value_type::error:
    return is(what, v1::ERROR_INTENT_BANNED);
  case value_type::partition:
    return is(what, v1::PARTITION_INTENT_OPENED)
           || is(what, v1::PARTITION_INTENT_DUE_DATES_PROMOTED);
  default:
    return false;
  }
}

void engine_processor::process(const typed_record& command,
                               result_builder& out) {
  if (command.value_type == value_type::idempotency)
    expire_answer(command, out);
  else
    promote_due_dates(command, out);
}

void engine_processor::replay(const typed_record& event,
                              state_transaction& state) {
  if (event.value_type == value_type::idempotency)
    idempotency::forget(state, {event.key.value});
  else if (event.value_type == value_type::error)
    bans::add(state, event.key, event.value);
  else if (is(event.intent, v1::PARTITION_INTENT_OPENED))
    apply_opened(event, state);
  else
    apply_promoted(event, state);
}

processing_error engine_processor::on_processing_error(const error&,
                                                       const typed_record&,
                                                       result_builder&) {
  return processing_error::reject;
}

} // namespace gnomon::engine
