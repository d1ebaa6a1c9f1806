#include "timers/timer_processor.hpp"

#include "gnomon/check.hpp"
#include "gnomon/v1/timer.pb.h"
#include "timers/timer_commands.hpp"

namespace gnomon::timers {

namespace {

bool is_command(intent what) {
  switch (what.value) {
  case v1::TIMER_INTENT_CREATE:
  case v1::TIMER_INTENT_CANCEL:
  case v1::TIMER_INTENT_RESCHEDULE:
  case v1::TIMER_INTENT_TRIGGER:
    return true;
  default:
    return false;
  }
}

bool is_event(intent what) {
  switch (what.value) {
  case v1::TIMER_INTENT_CREATED:
  case v1::TIMER_INTENT_CANCELED:
  case v1::TIMER_INTENT_RESCHEDULED:
  case v1::TIMER_INTENT_TRIGGERED:
  case v1::TIMER_INTENT_SKIPPED:
    return true;
  default:
    return false;
  }
}

} // namespace

timer_processor::timer_processor(timer_options options)
  : options_(options), recurrences_(options.recurrences_cached_max) {
  GNOMON_CHECK(options_.target_bytes_max <= text_bytes_limit);
  GNOMON_CHECK(options_.name_bytes_max <= text_bytes_limit);
}

bool timer_processor::accepts(gnomon::value_type type, intent what,
                              record_type kind) const {
  if (type != value_type::timer)
    return false;
  return (kind == record_type::command && is_command(what))
         || (kind == record_type::event && is_event(what));
}

void timer_processor::process(const typed_record& command,
                              result_builder& out) {
  const timer_context context{options_, recurrences_};
  switch (command.intent.value) {
  case v1::TIMER_INTENT_CREATE:
    return create_timer(command, context, out);
  case v1::TIMER_INTENT_CANCEL:
    return cancel_timer(command, context, out);
  case v1::TIMER_INTENT_RESCHEDULE:
    return reschedule_timer(command, context, out);
  default:
    GNOMON_CHECK(command.intent.value == v1::TIMER_INTENT_TRIGGER);
    return trigger_timer(command, context, out);
  }
}

void timer_processor::replay(const typed_record& event,
                             state_transaction& state) {
  GNOMON_CHECK(event.value_type == value_type::timer);
  apply_timer_event(event, state);
}

processing_error timer_processor::on_processing_error(const error&,
                                                      const typed_record&,
                                                      result_builder&) {
  return processing_error::reject;
}

std::optional<found_timer> require_timer(const typed_record& command,
                                         std::string_view name,
                                         result_builder& out) {
  if (!command.key && name.empty()) {
    out.reject(rejection_type::invalid_argument,
               "expected the key or the name of a timer, but there is neither");
    return std::nullopt;
  }
  const auto about = command.key ? std::optional{command.key}
                                 : find_timer_key(out.state(), name);
  const auto timer = about ? find_timer(out.state(), *about) : std::nullopt;
  if (timer)
    return found_timer{*about, *timer};
  const auto wanted = command.key ? "key " + std::to_string(command.key.value)
                                  : "name \"" + std::string{name} + "\"";
  out.reject(rejection_type::not_found,
             "expected a waiting timer with " + wanted + ", but there is none");
  return std::nullopt;
}

} // namespace gnomon::timers
