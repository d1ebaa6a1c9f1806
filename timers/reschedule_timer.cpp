#include "gnomon/v1/timer.pb.h"
#include "timers/schedule.hpp"
#include "timers/timer_commands.hpp"

namespace gnomon::timers {

void reschedule_timer(const typed_record& command, const timer_context& context,
                      result_builder& out) {
  v1::RescheduleTimer wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a RescheduleTimer, but the value is none");
  const auto found = require_timer(command, wanted.name(), out);
  if (!found)
    return;
  const auto planned = plan(wanted.schedule(), command.timestamp,
                            context.options, context.recurrences);
  if (!planned)
    return out.reject(rejection_type::invalid_argument,
                      planned.error().context);
  v1::TimerRescheduled rescheduled;
  write_schedule(*planned, rescheduled);
  rescheduled.set_occurrence(found->timer.pending.number);
  out.append_event(found->key, value_type::timer,
                   {v1::TIMER_INTENT_RESCHEDULED},
                   rescheduled.SerializeAsString(), found->timer.scope);
}

} // namespace gnomon::timers
