// Timers of Boost.Asio: what steady_timer is, on a clock that can be moved.

#pragma once

#include "gnomon/timing_wheel.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

namespace gnomon::benchmarks {

/// A clock as Asio wants it: its time is set by hand, so that an hour passes
/// at once.
struct movable_clock {
  using duration = std::chrono::milliseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<movable_clock>;

  static constexpr bool is_steady = true;

  static inline time_point current{};

  static time_point now() {
    return current;
  }
};

/// boost::asio::basic_waitable_timer, the template behind steady_timer, with
/// one object per timer and io_context.poll().
class asio_contender {
public:
  static constexpr const char* name = "boost::asio waitable timer";

  explicit asio_contender(std::size_t count) {
    movable_clock::current = {};
    for (std::size_t i = 0; i < count; ++i)
      timers_.emplace_back(context_);
  }

  void schedule(std::uint32_t timer, std::uint64_t due) {
    const auto delay = std::chrono::milliseconds{due};
    timers_[timer].expires_at(movable_clock::time_point{delay});
    timers_[timer].async_wait([this, timer](boost::system::error_code code) {
      if (!code)
        expired_(timer);
    });
  }

  void cancel(std::uint32_t timer) {
    timers_[timer].cancel();
  }

  template <class F>
  void advance(std::uint64_t now, F f) {
    movable_clock::current
      = movable_clock::time_point{std::chrono::milliseconds{now}};
    expired_ = f;
    // Asio looks at its timers only when the timer of the system rings, in real
    // time. A timer that is overdue makes it ring at once.
    bell_.expires_at(movable_clock::time_point::min());
    bell_.async_wait([](boost::system::error_code) {});
    context_.restart();
    context_.poll();
  }

private:
  using timer = boost::asio::basic_waitable_timer<movable_clock>;

  boost::asio::io_context context_{1};
  timer bell_{context_};
  std::deque<timer> timers_;
  std::function<void(std::uint32_t)> expired_ = [](std::uint32_t) {
  };
};

} // namespace gnomon::benchmarks
