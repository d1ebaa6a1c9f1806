#include "timers/schedule.hpp"

namespace gnomon::timers {

namespace {

result<planned_schedule> plan_expression(const v1::Schedule& schedule,
                                         timestamp now,
                                         const timer_options& options,
                                         recurrence_cache& recurrences) {
  const auto length = schedule.expression().size() + schedule.zone().size();
  if (length > options.expression_bytes_max)
    return {errc::invalid_argument,
            "expected an expression and a zone of at most "
              + std::to_string(options.expression_bytes_max)
              + " bytes, but they have " + std::to_string(length)};
  recurrence_source source{schedule.expression(), schedule.zone(),
                           schedule.cron_five_fields(), now};
  const auto parsed = recurrences.parse(source);
  if (!parsed)
    return parsed.error();
  const auto first = parsed->first();
  if (!first)
    return {errc::invalid_argument,
            "expected an expression that is due some day, but \""
              + schedule.expression() + "\" never is"};
  if (!parsed->repeats())
    return planned_schedule{first->due, {}};
  return planned_schedule{first->due, std::move(source)};
}

} // namespace

result<planned_schedule> plan(const v1::Schedule& schedule, timestamp now,
                              const timer_options& options,
                              recurrence_cache& recurrences) {
  switch (schedule.when_case()) {
  case v1::Schedule::kDueMs:
    return planned_schedule{{schedule.due_ms()}, {}};
  case v1::Schedule::kAfterMs:
    return planned_schedule{now + duration{schedule.after_ms()}, {}};
  case v1::Schedule::kExpression:
    return plan_expression(schedule, now, options, recurrences);
  default:
    return {errc::invalid_argument,
            "expected a due date, a delay or an expression, but the schedule "
            "has none of them"};
  }
}

} // namespace gnomon::timers
