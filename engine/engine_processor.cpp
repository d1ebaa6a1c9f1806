#include "engine/engine_processor.hpp"

#include "engine/bans.hpp"
#include "engine/idempotency.hpp"
#include "gnomon/v1/partition.pb.h"

namespace gnomon::engine {

namespace {

constexpr bool is(intent what, int number) {
  return what.value == number;
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
    return type == value_type::idempotency
           && is(what, v1::IDEMPOTENCY_INTENT_EXPIRE);
  if (kind != record_type::event)
    return false;
  switch (type) {
  case value_type::idempotency:
    return is(what, v1::IDEMPOTENCY_INTENT_EXPIRED);
  case value_type::error:
    return is(what, v1::ERROR_INTENT_BANNED);
  case value_type::partition:
    return is(what, v1::PARTITION_INTENT_OPENED);
  default:
    return false;
  }
}

void engine_processor::process(const typed_record& command,
                               result_builder& out) {
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

void engine_processor::replay(const typed_record& event,
                              state_transaction& state) {
  if (event.value_type == value_type::idempotency)
    idempotency::forget(state, {event.key.value});
  else if (event.value_type == value_type::error)
    bans::add(state, event.key, event.value);
  else
    apply_opened(event, state);
}

processing_error engine_processor::on_processing_error(const error&,
                                                       const typed_record&,
                                                       result_builder&) {
  return processing_error::reject;
}

} // namespace gnomon::engine
