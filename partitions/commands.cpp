#include "gnomon/commands.hpp"

#include "gnomon/record.hpp"
#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"

namespace gnomon {

namespace {

v1::Command make_command(value_type type, int verb, gnomon::key about) {
  v1::Command result;
  result.set_key(about.value);
  result.set_value_type(static_cast<std::uint32_t>(type));
  result.set_intent(static_cast<std::uint32_t>(verb));
  return result;
}

template <class Value>
v1::Command make_command(value_type type, int verb, gnomon::key about,
                         const Value& value) {
  auto result = make_command(type, verb, about);
  result.set_value(value.SerializeAsString());
  return result;
}

v1::BackOff to_message(const back_off& from) {
  v1::BackOff result;
  result.set_initial_ms(from.initial.count());
  result.set_factor(from.factor);
  result.set_max_ms(from.max.count());
  result.set_jitter_percent(from.jitter_percent);
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

v1::Command to_command(const create_job& from) {
  v1::JobCreated value;
  value.set_type(from.type);
  value.set_payload(from.payload);
  value.set_retries(from.retries);
  if (from.back_off)
    *value.mutable_back_off() = to_message(*from.back_off);
  auto result = make_command(value_type::job, v1::JOB_INTENT_CREATE, {}, value);
  result.set_idempotency_key(from.idempotency_key);
  return result;
}

v1::Command to_command(const complete_job& from) {
  v1::CompleteJob value;
  value.set_activation(from.activation);
  value.set_result(from.result);
  return make_command(value_type::job, v1::JOB_INTENT_COMPLETE, from.key,
                      value);
}

v1::Command to_command(const fail_job& from) {
  v1::FailJob value;
  value.set_activation(from.activation);
  value.set_message(from.message);
  if (from.retries)
    value.set_retries(*from.retries);
  if (const auto* exact = std::get_if<duration>(&from.back_off))
    value.set_back_off_ms(exact->count());
  if (const auto* policy = std::get_if<back_off>(&from.back_off))
    *value.mutable_back_off() = to_message(*policy);
  return make_command(value_type::job, v1::JOB_INTENT_FAIL, from.key, value);
}

v1::Command to_command(const throw_error& from) {
  v1::ThrowError value;
  value.set_activation(from.activation);
  value.set_code(from.code);
  value.set_message(from.message);
  return make_command(value_type::job, v1::JOB_INTENT_THROW_ERROR, from.key,
                      value);
}

v1::Command to_command(const update_job_retries& from) {
  v1::UpdateJobRetries value;
  value.set_retries(from.retries);
  return make_command(value_type::job, v1::JOB_INTENT_UPDATE_RETRIES, from.key,
                      value);
}

v1::Command to_command(const update_job_timeout& from) {
  v1::UpdateJobTimeout value;
  value.set_activation(from.activation);
  value.set_timeout_ms(from.timeout.count());
  return make_command(value_type::job, v1::JOB_INTENT_UPDATE_TIMEOUT, from.key,
                      value);
}

v1::Command to_command(const cancel_job& from) {
  return make_command(value_type::job, v1::JOB_INTENT_CANCEL, from.key);
}

v1::Command to_command(const resolve_incident& from) {
  return make_command(value_type::incident, v1::INCIDENT_INTENT_RESOLVE,
                      from.key);
}

} // namespace gnomon
