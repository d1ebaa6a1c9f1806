#include "actors/transient_timers_core.hpp"

#include "gnomon/check.hpp"

#include <bit>

namespace gnomon {

transient_timers::core::core(std::uint64_t now,
                             const transient_timers_options& options)
  : resolution_(static_cast<std::uint64_t>(options.resolution.count())),
    timers_per_turn_max_(options.timers_per_turn_max),
    wheel_({.start = now, .resolution = resolution_}) {
  GNOMON_CHECK(options.resolution.count() >= 1);
  GNOMON_CHECK(options.timers_per_turn_max >= 1);
}

auto transient_timers::core::schedule(std::uint64_t due, waiting what)
  -> scheduled {
  std::lock_guard guard{mutex_};
  const auto handle = put(due, std::move(what));
  return {handle, must_wake(due)};
}

bool transient_timers::core::cancel(timer_handle which) {
  waiting canceled; // Destroyed behind the lock.
  std::lock_guard guard{mutex_};
  if (!wheel_.cancel(which))
    return false;
  canceled = std::move(waiting_[which.index]);
  return true;
}

auto transient_timers::core::move(timer_handle which, std::uint64_t due)
  -> scheduled {
  std::lock_guard guard{mutex_};
  if (!wheel_.cancel(which))
    return {};
  auto what = std::move(waiting_[which.index]);
  const auto handle = put(due, std::move(what));
  return {handle, must_wake(due)};
}

auto transient_timers::core::advance(std::uint64_t now, bool alarm_over)
  -> turn {
  turn result;
  std::lock_guard guard{mutex_};
  wake_is_under_way_ = false;
  if (alarm_over)
    alarm_ = timing_wheel::never;
  const auto take = [&](const expired_timer& timer) {
    result.expired.push_back(std::move(waiting_[timer.handle.index]));
  };
  result.more = wheel_.advance(now, timers_per_turn_max_, take).more;
  if (result.more)
    wake_is_under_way_ = true; // The actor looks again anyway.
  else
    result.sleep = next_sleep(now);
  return result;
}

void transient_timers::core::reserve(std::size_t count) {
  std::lock_guard guard{mutex_};
  wheel_.reserve(count);
  waiting_.reserve(count);
}

std::size_t transient_timers::core::size() const {
  std::lock_guard guard{mutex_};
  return wheel_.size();
}

std::size_t transient_timers::core::memory_bytes() const {
  std::lock_guard guard{mutex_};
  return wheel_.memory_bytes() + waiting_.capacity() * sizeof(waiting);
}

void transient_timers::core::close() {
  std::vector<waiting> forgotten; // Destroyed behind the lock.
  std::lock_guard guard{mutex_};
  is_closed_ = true;
  wheel_ = timing_wheel{{.start = wheel_.now(), .resolution = resolution_}};
  forgotten.swap(waiting_);
}

timer_handle transient_timers::core::put(std::uint64_t due, waiting what) {
  const auto handle = wheel_.schedule(due, 0);
  if (handle.index >= waiting_.size())
    waiting_.resize(std::size_t{handle.index} + 1);
  waiting_[handle.index] = std::move(what);
  return handle;
}

bool transient_timers::core::must_wake(std::uint64_t due) {
  if (due >= alarm_ || wake_is_under_way_ || is_closed_)
    return false;
  wake_is_under_way_ = true;
  return true;
}

// CAF 0.17 cannot take a timeout back. Sleeping for a power of two ticks, at
// most as long as needed, makes each alarm that replaces another one at most
// half as long: its clock never has more than 64 of ours, whatever comes.
std::optional<caf::timespan>
transient_timers::core::next_sleep(std::uint64_t now) {
  const auto next = wheel_.next();
  if (!next || *next >= alarm_)
    return std::nullopt;
  const auto ticks
    = *next > now ? (*next - now + resolution_ - 1) / resolution_ : 1;
  auto sleep = std::bit_floor(ticks) * resolution_;
  if (*next > now && sleep > *next - now)
    sleep = *next - now; // Only a part of a tick is left.
  alarm_ = now + sleep;
  return caf::timespan{static_cast<std::int64_t>(sleep)};
}

} // namespace gnomon
