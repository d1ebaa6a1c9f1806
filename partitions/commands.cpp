#include "gnomon/commands.hpp"

#include "gnomon/record.hpp"
#include "gnomon/v1/job.pb.h"

namespace gnomon {

namespace {

template <class Value>
v1::Command make_command(value_type type, int verb, gnomon::key about,
                         const Value& value) {
  v1::Command result;
  result.set_key(about.value);
  result.set_value_type(static_cast<std::uint32_t>(type));
  result.set_intent(static_cast<std::uint32_t>(verb));
  result.set_value(value.SerializeAsString());
  return result;
}

struct set_when {
  v1::Schedule* to;

  void operator()(timestamp due) const {
    to->set_due_ms(due.value);
  }

  void operator()(duration after) const {
    to->set_after_ms(after.count());
  }

  void operator()(const std::string& expression) const {
    to->set_expression(expression);
  }
};

template <class Command>
void set_schedule(v1::Schedule* to, const Command& from) {
  std::visit(set_when{to}, from.when);
  to->set_zone(from.zone);
  to->set_cron_five_fields(from.cron_five_fields);
}

} // namespace

v1::Command to_command(const create_timer& from) {
  v1::CreateTimer value;
  set_schedule(value.mutable_schedule(), from);
  value.set_target(from.target);
  value.set_payload(from.payload);
  value.set_catch_up(from.catch_up);
  value.set_retries(from.retries);
  value.set_name(from.name);
  auto result
    = make_command(value_type::timer, v1::TIMER_INTENT_CREATE, {}, value);
  result.set_idempotency_key(from.idempotency_key);
  return result;
}

v1::Command to_command(const cancel_timer& from) {
  v1::CancelTimer value;
  value.set_name(from.name);
  return make_command(value_type::timer, v1::TIMER_INTENT_CANCEL, from.key,
                      value);
}

v1::Command to_command(const reschedule_timer& from) {
  v1::RescheduleTimer value;
  set_schedule(value.mutable_schedule(), from);
  value.set_name(from.name);
  return make_command(value_type::timer, v1::TIMER_INTENT_RESCHEDULE, from.key,
                      value);
}

v1::Command to_command(const complete_job& from) {
  v1::CompleteJob value;
  value.set_activation(from.activation);
  value.set_result(from.result);
  return make_command(value_type::job, v1::JOB_INTENT_COMPLETE, from.key,
                      value);
}

} // namespace gnomon
