#include "tests/simulation/timer_model.hpp"

#include <cstdlib>

namespace gnomon::simulation {

namespace {

/// Reads `R[n]/PT<seconds>S` into `timer`; leaves a one-shot alone.
void read_expression(const std::string& text, modelled_timer& timer) {
  timer.period_ms = 0;
  timer.last_occurrence = 0;
  const auto slash = text.find("/PT");
  if (text.empty() || slash == std::string::npos)
    return;
  timer.period_ms = std::strtoll(text.c_str() + slash + 3, nullptr, 10) * 1'000;
  const auto count = std::strtoull(text.c_str() + 1, nullptr, 10);
  if (count != 0)
    timer.last_occurrence = timer.occurrence + count - 1;
}

} // namespace

void timer_model::breach(const record& event, const std::string& what) {
  trace_->breach("timer " + std::to_string(event.key.value) + ", position "
                 + std::to_string(event.position.value) + ": " + what);
}

void timer_model::apply(const record& event) {
  switch (event.intent.value) {
  case v1::TIMER_INTENT_CREATED:
    return created(event);
  case v1::TIMER_INTENT_CANCELED:
    return canceled(event);
  case v1::TIMER_INTENT_RESCHEDULED:
    return rescheduled(event);
  case v1::TIMER_INTENT_TRIGGERED:
    return triggered(event);
  case v1::TIMER_INTENT_SKIPPED:
    return skipped(event);
  default:
    breach(event, "an event that nobody knows");
  }
}

bool timer_model::has_triggered(std::uint64_t timer,
                                std::uint64_t occurrence) const {
  const auto found = done_.find({timer, occurrence});
  return found != done_.end() && found->second;
}

timer_model::timers::iterator timer_model::require(const record& event) {
  const auto found = waiting_.find(event.key.value);
  if (found == waiting_.end())
    breach(event, "intent " + std::to_string(event.intent.value)
                    + " of a timer that does not wait");
  return found;
}

void timer_model::created(const record& event) {
  v1::TimerCreated value;
  value.ParseFromString(event.value);
  if (!known_.emplace(event.key.value, true).second)
    breach(event, "its key was used before");
  modelled_timer timer;
  timer.due = {value.due_ms()};
  timer.catch_up = value.catch_up();
  timer.target = value.target();
  timer.name = value.name();
  read_expression(value.expression(), timer);
  for (const auto& [key, other] : waiting_)
    if (!timer.name.empty() && other.name == timer.name)
      breach(event, "its name is that of timer " + std::to_string(key));
  waiting_.emplace(event.key.value, std::move(timer));
}

void timer_model::canceled(const record& event) {
  const auto found = require(event);
  if (found == waiting_.end())
    return;
  waiting_.erase(found);
  ++moved_or_gone_;
}

void timer_model::rescheduled(const record& event) {
  const auto found = require(event);
  if (found == waiting_.end())
    return;
  v1::TimerRescheduled value;
  value.ParseFromString(event.value);
  auto& timer = found->second;
  if (value.occurrence() != timer.occurrence)
    breach(event, "rescheduled another occurrence");
  timer.due = {value.due_ms()};
  timer.caught_up = 0;
  read_expression(value.expression(), timer);
  ++moved_or_gone_;
}

void timer_model::triggered(const record& event) {
  const auto found = require(event);
  if (found == waiting_.end())
    return;
  v1::TimerTriggered value;
  value.ParseFromString(event.value);
  const auto& timer = found->second;
  if (!done_.emplace(std::pair{event.key.value, value.occurrence()}, true)
         .second)
    breach(event, "triggered a second time");
  if (value.occurrence() != timer.occurrence
      || value.due_ms() != timer.due.value)
    breach(event, "expected occurrence " + std::to_string(timer.occurrence)
                    + ", but found " + std::to_string(value.occurrence()));
  if (event.timestamp < timer.due)
    breach(event, "triggered before its due date");
  if (timer.catch_up == v1::CATCH_UP_SKIP && timer.period_ms != 0
      && is_missed(timer, value.occurrence(), event.timestamp))
    breach(event, "triggered an occurrence to be skipped");
  found->second.caught_up = value.caught_up();
  move_on(found, value.next_occurrence(), value.next_due_ms(), event);
}

bool timer_model::is_missed(const modelled_timer& timer,
                            std::uint64_t occurrence, timestamp now) const {
  const auto ahead = static_cast<std::int64_t>(occurrence - timer.occurrence);
  const auto due = timer.due.value + ahead * timer.period_ms;
  const auto has_next
    = timer.last_occurrence == 0 || occurrence < timer.last_occurrence;
  return now.value - due > limits_.catch_up_grace.count()
         || (has_next && due + timer.period_ms <= now.value);
}

void timer_model::skipped(const record& event) {
  const auto found = require(event);
  if (found == waiting_.end())
    return;
  v1::TimerSkipped value;
  value.ParseFromString(event.value);
  const auto& timer = found->second;
  if (timer.period_ms == 0)
    breach(event, "skipped a one-shot timer");
  if (value.first_occurrence() != timer.occurrence || value.count() == 0)
    breach(event, "skipped from occurrence "
                    + std::to_string(value.first_occurrence()));
  if (!is_missed(timer, timer.occurrence + value.count() - 1, event.timestamp))
    breach(event, "skipped an occurrence that was not missed");
  if (timer.catch_up == v1::CATCH_UP_EVERY
      && timer.caught_up < limits_.catch_up_max)
    breach(event, "skipped before enough were caught up");
  const auto next = value.next_occurrence();
  if (next != 0 && next != timer.occurrence + value.count())
    breach(event, "the next occurrence is " + std::to_string(next));
  ++moved_or_gone_;
  move_on(found, next, value.next_due_ms(), event);
}

void timer_model::move_on(timers::iterator at, std::uint64_t next,
                          std::int64_t due_ms, const record& event) {
  auto& timer = at->second;
  if (next == 0) {
    if (timer.period_ms != 0 && timer.last_occurrence == 0)
      breach(event, "ended, but repeats without end");
    waiting_.erase(at);
    ++moved_or_gone_;
    return;
  }
  const auto ahead = static_cast<std::int64_t>(next - timer.occurrence);
  if (timer.period_ms == 0 || ahead < 1
      || due_ms != timer.due.value + ahead * timer.period_ms)
    breach(event, "the next due date is off the grid");
  if (timer.last_occurrence != 0 && next > timer.last_occurrence)
    breach(event, "goes on behind its last occurrence");
  timer.occurrence = next;
  timer.due = {due_ms};
}

} // namespace gnomon::simulation
