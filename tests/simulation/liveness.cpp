// The second half of a run: no more faults, and everything must come right.

#include "tests/simulation/replay.hpp"
#include "tests/simulation/simulated_partition.hpp"

namespace gnomon::simulation {

namespace {

constexpr duration second{1'000};
constexpr duration minute{60'000};

/// More than that without rest is a loop.
constexpr std::size_t turns_max = 5'000;

} // namespace

void simulated_partition::liveness() {
  trace_.note("liveness");
  disk_.disarm();
  bring_out_failures();
  if (!host_.is_open())
    return trace_.breach("cannot be opened without faults");
  host_.core().resume();
  calm_down();
  // While the clock was doubted, nobody wrote the state.
  bring_out_failures();
  if (!host_.is_open())
    return trace_.breach("failed without faults");
  for (const auto* type : client::job_types)
    host_.subscribe({type, 4, 10 * second});
  host_.scan_due();
  rest();
  follow_due_dates(5 * minute, 15);
  leap();
  follow_due_dates(30 * second, 15);
  host_.scan_due();
  rest();
  check_rest();
}

void simulated_partition::bring_out_failures() {
  // A sync of the state that has failed is noticed by whoever writes it next.
  for (int i = 0; i < 4; ++i) {
    if (!host_.is_open())
      host_.open();
    host_.drain();
    if (host_.is_open())
      host_.submit(user_.draw());
    if (host_.is_open())
      host_.turn();
  }
}

void simulated_partition::calm_down() {
  if (calm_random_.chance(50)) {
    host_.core().confirm_clock();
    return;
  }
  // A suspicious clock is believed in the end.
  for (int i = 0; i < 12 && host_.is_open(); ++i) {
    host_.turn();
    advance(minute / 2);
  }
}

void simulated_partition::rest() {
  for (std::size_t i = 0; i < turns_max && trace_.is_sound(); ++i) {
    if (!host_.is_open())
      return trace_.breach("failed without faults");
    host_.look_at_due();
    host_.turn();
    host_.drain();
    if (!host_.is_open())
      continue;
    host_.release();
    const auto answers = user_.finish_all();
    for (const auto& each : answers)
      host_.submit(each);
    const auto due = host_.next_due();
    if (host_.is_quiet() && answers.empty() && (!due || *due > time_.wall()))
      return;
    // What holds it passes with time.
    if (host_.core().current_status().clock_suspect || i % 100 == 99)
      advance(second);
  }
  if (trace_.is_sound())
    trace_.breach("does not come to rest: " + log_.describe_last(6));
}

void simulated_partition::follow_due_dates(duration within,
                                           std::size_t times_max) {
  const auto end = time_.wall() + within;
  for (std::size_t i = 0; i < times_max && trace_.is_sound(); ++i) {
    const auto due = host_.next_due();
    if (!due || *due > end)
      return;
    advance(std::max(*due - time_.wall(), duration{0}));
    host_.scan_due();
    rest();
    check_nothing_is_due();
  }
}

timestamp simulated_partition::latest_due() const {
  auto latest = std::max(time_.wall(), log_.last_timestamp());
  for (const auto& [key, timer] : log_.timers().waiting())
    if (timer.period_ms == 0)
      latest = std::max(latest, timer.due);
  for (const auto& [key, job] : log_.jobs().open())
    latest = std::max(latest, job.due);
  return latest;
}

void simulated_partition::leap() {
  for (int i = 0; i < 3 && trace_.is_sound(); ++i) {
    advance(latest_due() - time_.wall() + second);
    rest();
  }
}

void simulated_partition::check_nothing_is_due() {
  // Due is due: not a millisecond later.
  const auto now = time_.wall();
  for (const auto& [key, timer] : log_.timers().waiting())
    if (timer.due <= now)
      trace_.breach("timer " + std::to_string(key) + " was due at "
                    + std::to_string(timer.due.value)
                    + " and has not triggered at " + std::to_string(now.value));
}

void simulated_partition::check_rest() {
  if (!trace_.is_sound())
    return;
  check_nothing_is_due();
  for (const auto& [key, job] : log_.jobs().open())
    trace_.breach("job " + std::to_string(key) + " of type " + job.type
                  + " was never completed");
  if (user_.pending() > 0)
    trace_.breach("an answer is missing");
  if (const auto fault = log_.fault_of_quiet(); !fault.empty())
    trace_.breach(fault);
  check_state();
}

void simulated_partition::check_state() {
  const auto view = host_.core().view();
  if (!view)
    return trace_.breach("view: " + to_string(view.error()));
  auto fault = difference_from_replay(log_, **view, options_);
  if (fault.empty())
    fault = difference_from_model(log_, **view);
  if (!fault.empty())
    trace_.breach(fault);
}

} // namespace gnomon::simulation
