// Appliers must not fail. A read that finds nothing is either a failure of the
// state, which sticks and stops the batch, or an event of a timer that is gone;
// both leave the state as it is, so none of them is a check.

#include "engine/scope_index.hpp"
#include "gnomon/check.hpp"
#include "gnomon/v1/timer.pb.h"
#include "timers/timer_commands.hpp"
#include "timers/timer_state.hpp"

namespace gnomon::timers {

namespace {

/// Parses an event of our own; one of a newer version keeps what is known. The
/// result lives until the next call, and is used again for its memory.
template <class Event>
const Event& read_event(const typed_record& event) {
  static thread_local Event result;
  if (!event.parse(result))
    result.Clear();
  return result;
}

/// Removes everything of the timer that `event` is about, unread.
void end(const typed_record& event, timestamp due, std::string_view name,
         state_transaction& state) {
  erase_timer(state, event.key, due, name);
  engine::scope_index::remove(state, event.scope_key, event.key);
}

void apply_created(const typed_record& event, state_transaction& state) {
  const auto& created = read_event<v1::TimerCreated>(event);
  waiting_timer timer;
  timer.pending.number = created.occurrence() != 0 ? created.occurrence() : 1;
  timer.pending.due = {created.due_ms()};
  timer.repeats = !created.expression().empty();
  timer.scope = event.scope_key;
  timer.created = event.value;
  insert_timer(state, event.key, timer, created.name(), event.timestamp);
  engine::scope_index::add(state, event.scope_key,
                           {event.key, value_type::timer});
}

void apply_canceled(const typed_record& event, state_transaction& state) {
  const auto& canceled = read_event<v1::CancelTimer>(event);
  if (const auto timer = find_timer(state, event.key))
    end(event, timer->pending.due, canceled.name(), state);
}

void apply_rescheduled(const typed_record& event, state_transaction& state) {
  const auto& rescheduled = read_event<v1::TimerRescheduled>(event);
  auto timer = find_timer(state, event.key);
  if (!timer)
    return;
  const auto old_due = timer->pending.due;
  timer->pending = {rescheduled.occurrence(), {rescheduled.due_ms()}};
  timer->caught_up = 0;
  timer->repeats = !rescheduled.expression().empty();
  timer->rescheduled = event.value;
  update_timer(state, event.key, old_due, *timer, event.timestamp);
}

void move_on(const typed_record& event, const occurrence& next,
             std::uint32_t caught_up, state_transaction& state) {
  auto timer = find_timer(state, event.key);
  if (!timer)
    return;
  const auto old_due = timer->pending.due;
  timer->pending = next;
  timer->caught_up = caught_up;
  update_timer(state, event.key, old_due, *timer, event.timestamp);
}

void apply_triggered(const typed_record& event, state_transaction& state) {
  const auto& triggered = read_event<v1::TimerTriggered>(event);
  const occurrence next{triggered.next_occurrence(), {triggered.next_due_ms()}};
  if (next.number != 0)
    return move_on(event, next, triggered.caught_up(), state);
  end(event, {triggered.due_ms()}, triggered.name(), state);
}

void apply_skipped(const typed_record& event, state_transaction& state) {
  const auto& skipped = read_event<v1::TimerSkipped>(event);
  const occurrence next{skipped.next_occurrence(), {skipped.next_due_ms()}};
  if (next.number != 0)
    return move_on(event, next, 0, state);
  const auto timer = find_timer(state, event.key);
  if (!timer)
    return;
  v1::TimerCreated created;
  if (!created.ParseFromArray(timer->created.data(),
                              static_cast<int>(timer->created.size())))
    created.Clear();
  end(event, timer->pending.due, created.name(), state);
}

} // namespace

void apply_timer_event(const typed_record& event, state_transaction& state) {
  switch (event.intent.value) {
  case v1::TIMER_INTENT_CREATED:
    return apply_created(event, state);
  case v1::TIMER_INTENT_CANCELED:
    return apply_canceled(event, state);
  case v1::TIMER_INTENT_RESCHEDULED:
    return apply_rescheduled(event, state);
  case v1::TIMER_INTENT_TRIGGERED:
    return apply_triggered(event, state);
  default:
    GNOMON_CHECK(event.intent.value == v1::TIMER_INTENT_SKIPPED);
    return apply_skipped(event, state);
  }
}

} // namespace gnomon::timers
