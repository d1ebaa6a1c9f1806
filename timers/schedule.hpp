// From a client's schedule to the first due date.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/v1/timer.pb.h"
#include "timers/recurrence_cache.hpp"
#include "timers/timer_options.hpp"

namespace gnomon::timers {

/// What an event says about the schedule of a timer. Plain value.
struct planned_schedule {
  /// Of the first occurrence.
  timestamp due;

  /// How later occurrences are computed; the expression is empty if there are
  /// none.
  recurrence_source source;
};

/// Plans `schedule` as of `now`, the timestamp of the command. Delays saturate:
/// a timer that is due at the end of time never triggers.
/// @returns `errc::invalid_argument` if there is no schedule, or its expression
///          is too long, malformed or never due.
result<planned_schedule> plan(const v1::Schedule& schedule, timestamp now,
                              const timer_options& options,
                              recurrence_cache& recurrences);

/// Writes `from` into an event, of which two types have these fields.
template <class Event>
void write_schedule(const planned_schedule& from, Event& event) {
  event.set_due_ms(from.due.value);
  if (from.source.expression.empty())
    return;
  event.set_expression(from.source.expression);
  event.set_anchor_ms(from.source.anchor.value);
  event.set_zone(from.source.zone);
  event.set_cron_five_fields(from.source.cron_five_fields);
}

/// Reads back what `write_schedule` wrote.
template <class Event>
recurrence_source read_source(const Event& event) {
  return {event.expression(),
          event.zone(),
          event.cron_five_fields(),
          {event.anchor_ms()}};
}

} // namespace gnomon::timers
