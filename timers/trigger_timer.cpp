#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/timer.pb.h"
#include "timers/catch_up.hpp"
#include "timers/schedule.hpp"
#include "timers/timer_commands.hpp"
#include "timers/timer_state.hpp"

namespace gnomon::timers {

namespace {

/// A decision in the numbers of the timer, not those of its expression.
using trigger_decision = catch_up_decision;

/// How later occurrences of a timer are computed.
struct timer_rule {
  recurrence_source source;

  /// Occurrence `n` of the expression is number `n + passed` of the timer.
  std::uint64_t passed = 0;
};

template <class Event>
timer_rule rule_of(const Event& event) {
  const auto first = event.occurrence();
  return {read_source(event), first != 0 ? first - 1 : 0};
}

std::optional<timer_rule> find_rule(const waiting_timer& timer,
                                    const v1::TimerCreated& created) {
  if (timer.rescheduled.empty())
    return rule_of(created);
  v1::TimerRescheduled rescheduled;
  if (!rescheduled.ParseFromArray(timer.rescheduled.data(),
                                  static_cast<int>(timer.rescheduled.size())))
    return std::nullopt;
  return rule_of(rescheduled);
}

catch_up_policy policy_of(const v1::TimerCreated& created) {
  switch (created.catch_up()) {
  case v1::CATCH_UP_LATEST:
    return catch_up_policy::latest;
  case v1::CATCH_UP_SKIP:
    return catch_up_policy::skip;
  default:
    return catch_up_policy::every;
  }
}

trigger_decision shifted(trigger_decision decided, std::uint64_t by) {
  if (decided.skipped)
    decided.skipped->first += by;
  if (decided.triggered)
    decided.triggered->number += by;
  if (decided.next)
    decided.next->number += by;
  return decided;
}

/// Decides about a repeating timer.
/// @returns `errc::processing_failed` if its expression cannot be computed.
result<trigger_decision> decide_repeating(const waiting_timer& timer,
                                          const v1::TimerCreated& created,
                                          timestamp now,
                                          const timer_context& context) {
  const auto rule = find_rule(timer, created);
  if (!rule || timer.pending.number <= rule->passed)
    return {errc::processing_failed, "its schedule cannot be read"};
  const auto parsed = context.recurrences.parse(rule->source);
  if (!parsed)
    return {errc::processing_failed, parsed.error().context};
  const occurrence pending{timer.pending.number - rule->passed,
                           timer.pending.due};
  const auto decided
    = decide_catch_up(*parsed, pending, now, policy_of(created),
                      context.options.catch_up, timer.caught_up);
  return shifted(decided, rule->passed);
}

result<trigger_decision> decide(const waiting_timer& timer,
                                const v1::TimerCreated& created, timestamp now,
                                const timer_context& context) {
  if (timer.repeats)
    return decide_repeating(timer, created, now, context);
  trigger_decision decided;
  decided.triggered = timer.pending;
  return decided;
}

/// Appends the event whose number and due date are those of `next`.
template <class Event>
void append(Event& event, intent what, const std::optional<occurrence>& next,
            const typed_record& command, result_builder& out) {
  if (next) {
    event.set_next_occurrence(next->number);
    event.set_next_due_ms(next->due.value);
  }
  out.append_event(command.key, value_type::timer, what,
                   event.SerializeAsString(), command.scope_key);
}

void append_skipped(const trigger_decision& decided,
                    const typed_record& command, result_builder& out) {
  v1::TimerSkipped skipped;
  skipped.set_first_occurrence(decided.skipped->first);
  skipped.set_count(decided.skipped->count);
  const auto& next = decided.triggered ? decided.triggered : decided.next;
  append(skipped, {v1::TIMER_INTENT_SKIPPED}, next, command, out);
}

void append_triggered(const trigger_decision& decided,
                      const v1::TimerCreated& created,
                      const typed_record& command, result_builder& out) {
  v1::TimerTriggered triggered;
  triggered.set_occurrence(decided.triggered->number);
  triggered.set_due_ms(decided.triggered->due.value);
  triggered.set_caught_up(decided.caught_up);
  triggered.set_target(created.target());
  if (!decided.next)
    triggered.set_name(created.name());
  append(triggered, {v1::TIMER_INTENT_TRIGGERED}, decided.next, command, out);
}

/// Appends the job that the triggered occurrence hands to a worker.
void append_job(const occurrence& triggered, v1::TimerCreated&& created,
                const typed_record& command, result_builder& out) {
  v1::JobCreated job;
  job.set_type(std::move(*created.mutable_target()));
  job.set_payload(std::move(*created.mutable_payload()));
  job.set_retries(created.retries());
  job.set_timer_key(command.key.value);
  job.set_occurrence(triggered.number);
  job.set_due_ms(triggered.due.value);
  out.append_event(out.next_key(), value_type::job, {v1::JOB_INTENT_CREATED},
                   job.SerializeAsString(), command.scope_key);
}

} // namespace

void trigger_timer(const typed_record& proposal, const timer_context& context,
                   result_builder& out) {
  const auto found = require_timer(proposal, {}, out);
  if (!found)
    return;
  // A proposal does not know the instance; what it leads to belongs there.
  auto command = proposal;
  command.scope_key = found->timer.scope;
  const auto name = "timer " + std::to_string(command.key.value);
  if (found->timer.pending.due > command.timestamp)
    return out.reject(
      rejection_type::invalid_state,
      "expected " + name + " to be due at "
        + std::to_string(command.timestamp.value) + " ms, but it is due at "
        + std::to_string(found->timer.pending.due.value) + " ms");
  v1::TimerCreated created;
  if (!created.ParseFromArray(found->timer.created.data(),
                              static_cast<int>(found->timer.created.size())))
    return out.reject(rejection_type::processing_failed,
                      "expected to read " + name + ", but it is malformed");
  const auto decided
    = decide(found->timer, created, command.timestamp, context);
  if (!decided)
    return out.reject(rejection_type::processing_failed,
                      "expected the next due date of " + name + ", but "
                        + decided.error().context);
  if (decided->skipped)
    append_skipped(*decided, command, out);
  if (!decided->triggered)
    return;
  append_triggered(*decided, created, command, out);
  if (!created.target().empty())
    append_job(*decided->triggered, std::move(created), command, out);
}

} // namespace gnomon::timers
