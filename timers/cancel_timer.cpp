#include "gnomon/v1/timer.pb.h"
#include "timers/timer_commands.hpp"

namespace gnomon::timers {

void cancel_timer(const typed_record& command, const timer_context&,
                  result_builder& out) {
  v1::CancelTimer wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a CancelTimer, but the value is none");
  const auto found = require_timer(command, wanted.name(), out);
  if (!found)
    return;
  // The event names the timer, so that applying it frees the name unread.
  v1::CancelTimer canceled;
  if (v1::TimerCreated created;
      created.ParseFromArray(found->timer.created.data(),
                             static_cast<int>(found->timer.created.size())))
    canceled.set_name(created.name());
  out.append_event(found->key, value_type::timer, {v1::TIMER_INTENT_CANCELED},
                   canceled.SerializeAsString(), found->timer.scope);
}

} // namespace gnomon::timers
