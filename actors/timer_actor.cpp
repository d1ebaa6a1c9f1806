#include "actors/timer_actor.hpp"

#include <algorithm>

namespace gnomon {

namespace {

timestamp earliest_of(timestamp a, std::optional<timestamp> b) {
  return b ? std::min(a, *b) : a;
}

} // namespace

timer_actor::timer_actor(caf::actor_config& cfg, const gnomon::clock& time)
  : timer_handle::base(cfg), time_(time) {
  // nop
}

timer_actor::behavior_type timer_actor::make_behavior() {
  return {
    [this](const watch_reference& what) -> caf::result<void> {
      change(what);
      return caf::unit;
    },
    [this](wake) -> caf::result<void> {
      look();
      return caf::unit;
    },
    [this](alarm what) -> caf::result<void> {
      if (what.generation != generation_)
        return caf::unit; // A sooner one was armed meanwhile.
      armed_for_ = timestamp::max();
      look();
      return caf::unit;
    },
  };
}

const char* timer_actor::name() const {
  return "gnomon.timer";
}

void timer_actor::on_exit() {
  watched_.clear();
}

void timer_actor::change(const watch_reference& what) {
  std::erase_if(watched_,
                [&](const watched& x) { return x.whom == what.whom; });
  if (!what.is_over)
    watched_.push_back({what.whom, what.reference});
  look();
}

void timer_actor::look() {
  const auto now = time_.wall();
  const auto jumped = wall_has_jumped(now);
  for (auto& [whom, reference] : watched_) {
    const auto due = reference->peek();
    if (!jumped && (!due || *due > now))
      continue;
    // Taken here, so that it is sent once. The partition scans after this, and
    // what it commits later it offers again: nothing falls in between.
    reference->take();
    mail_as(this, trigger_due{now}).send(whom);
  }
  arm(now);
}

void timer_actor::arm(timestamp now) {
  auto next = timestamp::max();
  for (const auto& x : watched_)
    next = earliest_of(next, x.reference->peek());
  if (watched_.empty())
    return;
  next = std::min(next, now + idle_max);
  if (next >= armed_for_)
    return;
  armed_for_ = next;
  const auto delay = std::max(next - now, duration{1});
  mail_as(this, alarm{++generation_})
    .delay(caf::timespan{delay})
    .send(timer_handle{this});
}

bool timer_actor::wall_has_jumped(timestamp now) {
  const auto monotonic
    = std::chrono::floor<duration>(time_.monotonic()).count();
  const auto offset = now.value - monotonic;
  const auto before = offset_ms_.value_or(offset);
  const auto deviation = offset > before ? offset - before : before - offset;
  // Adjustments by and by are no jump: only the last look is compared with.
  offset_ms_ = offset;
  return deviation > jump_min.count();
}

} // namespace gnomon
