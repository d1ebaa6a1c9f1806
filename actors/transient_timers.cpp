#include "gnomon/transient_timers.hpp"

#include "actors/caf_messages.hpp"
#include "actors/transient_timers_core.hpp"

#include <algorithm>

namespace gnomon {

namespace {

std::uint64_t nanoseconds_of(caf::actor_clock::time_point when) {
  const auto since = when.time_since_epoch();
  return static_cast<std::uint64_t>(
    std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

std::uint64_t now_of(caf::actor_system& system) {
  return nanoseconds_of(system.clock().now());
}

std::uint64_t due_after(caf::actor_system& system, caf::timespan delay) {
  const auto now = now_of(system);
  const auto wait = static_cast<std::uint64_t>(
    std::max(delay.count(), caf::timespan::rep{0}));
  return wait > timing_wheel::never - now ? timing_wheel::never : now + wait;
}

/// What the actor is told: to look, whatever alarm is armed. Numbers from 1 are
/// those of alarms. Plain numbers, which CAF knows without registration.
constexpr std::uint64_t look_again = 0;

} // namespace

/// Sleeps until something is due, and sends it.
class transient_timers::sleeper : public caf::event_based_actor {
public:
  sleeper(caf::actor_config& cfg, std::shared_ptr<core> timers)
    : caf::event_based_actor(cfg), timers_(std::move(timers)) {
    // nop
  }

  caf::behavior make_behavior() override {
    return {
      [this](std::uint64_t number) {
        // An alarm that is not the newest was replaced by a sooner one.
        if (number == look_again || number == generation_)
          take_turn(number == generation_ && generation_ != 0);
      },
    };
  }

  const char* name() const override {
    return "gnomon.transient-timers";
  }

  void on_exit() override {
    timers_ = nullptr;
  }

private:
  void take_turn(bool alarm_over) {
    auto turn = timers_->advance(now_of(system()), alarm_over);
    for (auto& [receiver, content] : turn.expired)
      if (auto alive = receiver.lock())
        send_from_nobody(alive, std::move(content));
    const auto self = caf::actor_cast<caf::actor>(this);
    if (turn.more)
      mail_as(this, look_again).send(self);
    if (turn.sleep)
      mail_as(this, ++generation_).delay(*turn.sleep).send(self);
  }

  std::shared_ptr<core> timers_;
  std::uint64_t generation_ = 0;
};

transient_timers::transient_timers(caf::actor_system& system,
                                   transient_timers_options options)
  : core_(std::make_shared<core>(now_of(system), options)),
    sleeper_(system.spawn<sleeper, caf::hidden>(core_)) {
  // nop
}

transient_timers::~transient_timers() {
  core_->close();
  caf::anon_send_exit(sleeper_, caf::exit_reason::user_shutdown);
}

timer_handle transient_timers::schedule_message(caf::timespan delay,
                                                caf::weak_actor_ptr receiver,
                                                caf::message content) {
  const auto due = due_after(sleeper_.home_system(), delay);
  const auto done
    = core_->schedule(due, {std::move(receiver), std::move(content)});
  if (done.wake)
    wake();
  return done.handle;
}

bool transient_timers::cancel(timer_handle which) {
  return core_->cancel(which);
}

timer_handle transient_timers::move(timer_handle which, caf::timespan delay) {
  const auto done
    = core_->move(which, due_after(sleeper_.home_system(), delay));
  if (done.wake)
    wake();
  return done.handle;
}

void transient_timers::reserve(std::size_t count) {
  core_->reserve(count);
}

std::size_t transient_timers::size() const {
  return core_->size();
}

std::size_t transient_timers::memory_bytes() const {
  return core_->memory_bytes();
}

void transient_timers::wake() {
  send_from_nobody(caf::actor_cast<caf::strong_actor_ptr>(sleeper_),
                   caf::make_message(look_again));
}

} // namespace gnomon
