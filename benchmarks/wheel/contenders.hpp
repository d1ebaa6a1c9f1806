// Ways to keep very many timers, behind one interface: timers are numbered
// from 0, `advance` tells the numbers of those that expire.

#pragma once

#include "gnomon/timing_wheel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

namespace gnomon::benchmarks {

/// The wheel of this library.
class wheel_contender {
public:
  static constexpr const char* name = "timing wheel";

  explicit wheel_contender(std::size_t count) : handles_(count) {
    wheel_.reserve(count);
  }

  void schedule(std::uint32_t timer, std::uint64_t due) {
    handles_[timer] = wheel_.schedule(due, timer);
  }

  void cancel(std::uint32_t timer) {
    wheel_.cancel(handles_[timer]);
  }

  std::uint64_t next() {
    return wheel_.next().value_or(timing_wheel::never);
  }

  template <class F>
  void advance(std::uint64_t now, F f) {
    wheel_.advance(now, timing_wheel::never, [&](const expired_timer& timer) {
      f(static_cast<std::uint32_t>(timer.payload));
    });
  }

private:
  timing_wheel wheel_;
  std::vector<timer_handle> handles_;
};

/// Payloads and safe handles for contenders that have none of their own: what
/// a timer is asked to carry and how it may be canceled should not differ.
class timer_table {
public:
  struct node {
    std::uint64_t payload = 0;
    std::uint32_t generation = 1;

    /// For the contender's use; the next free node when free.
    std::uint32_t place = 0;
  };

  static constexpr std::uint32_t none = 0xFFFF'FFFF;

  explicit timer_table(std::size_t count) {
    nodes_.reserve(count);
  }

  timer_handle add(std::uint64_t payload) {
    auto index = free_;
    if (index == none) {
      index = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[index].place;
    }
    nodes_[index].payload = payload;
    return {nodes_[index].generation, index};
  }

  bool contains(timer_handle handle) const {
    return handle.index < nodes_.size()
           && nodes_[handle.index].generation == handle.generation;
  }

  /// @returns The payload.
  std::uint64_t remove(std::uint32_t index) {
    auto& old = nodes_[index];
    ++old.generation;
    old.place = free_;
    free_ = index;
    return old.payload;
  }

  node& operator[](std::uint32_t index) {
    return nodes_[index];
  }

private:
  std::vector<node> nodes_;
  std::uint32_t free_ = none;
};

/// std::priority_queue; a canceled timer stays in it until it comes to the
/// top.
class queue_contender {
public:
  static constexpr const char* name = "std::priority_queue, lazy deletion";

  explicit queue_contender(std::size_t count)
    : timers_(count), handles_(count) {
    std::vector<entry> room;
    room.resize(count);
    room.clear();
    queue_ = decltype(queue_){std::greater<>{}, std::move(room)};
  }

  void schedule(std::uint32_t timer, std::uint64_t due) {
    const auto handle = timers_.add(timer);
    handles_[timer] = handle;
    queue_.push({due, handle.index, handle.generation});
  }

  void cancel(std::uint32_t timer) {
    if (timers_.contains(handles_[timer]))
      timers_.remove(handles_[timer].index);
  }

  std::uint64_t next() {
    while (!queue_.empty() && !is_live(queue_.top()))
      queue_.pop();
    return queue_.empty() ? timing_wheel::never : queue_.top().due;
  }

  template <class F>
  void advance(std::uint64_t now, F f) {
    while (next() <= now) {
      const auto index = queue_.top().index;
      queue_.pop();
      f(static_cast<std::uint32_t>(timers_.remove(index)));
    }
  }

private:
  struct entry {
    std::uint64_t due = 0;
    std::uint32_t index = 0;
    std::uint32_t generation = 0;

    friend bool operator>(const entry& a, const entry& b) {
      return a.due > b.due;
    }
  };

  bool is_live(const entry& what) const {
    return timers_.contains({what.generation, what.index});
  }

  timer_table timers_;
  std::vector<timer_handle> handles_;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> queue_;
};

/// A heap with four children per node that knows where each timer is.
class heap_contender {
public:
  static constexpr const char* name = "indexed 4-ary heap";

  explicit heap_contender(std::size_t count) : timers_(count), handles_(count) {
    heap_.resize(count);
    heap_.clear();
  }

  void schedule(std::uint32_t timer, std::uint64_t due) {
    const auto handle = timers_.add(timer);
    handles_[timer] = handle;
    heap_.push_back({due, handle.index});
    rise(heap_.size() - 1, {due, handle.index});
  }

  void cancel(std::uint32_t timer) {
    const auto handle = handles_[timer];
    if (!timers_.contains(handle))
      return;
    remove(timers_[handle.index].place);
    timers_.remove(handle.index);
  }

  std::uint64_t next() {
    return heap_.empty() ? timing_wheel::never : heap_.front().due;
  }

  template <class F>
  void advance(std::uint64_t now, F f) {
    while (next() <= now) {
      const auto index = heap_.front().index;
      remove(0);
      f(static_cast<std::uint32_t>(timers_.remove(index)));
    }
  }

private:
  struct entry {
    std::uint64_t due = 0;
    std::uint32_t index = 0;
  };

  void put(std::size_t place, entry what) {
    heap_[place] = what;
    timers_[what.index].place = static_cast<std::uint32_t>(place);
  }

  void rise(std::size_t place, entry what) {
    while (place > 0) {
      const auto parent = (place - 1) / 4;
      if (heap_[parent].due <= what.due)
        break;
      put(place, heap_[parent]);
      place = parent;
    }
    put(place, what);
  }

  void sink(std::size_t place, entry what) {
    for (;;) {
      const auto first = place * 4 + 1;
      if (first >= heap_.size())
        break;
      auto best = first;
      const auto end = std::min(first + 4, heap_.size());
      for (auto child = first + 1; child < end; ++child)
        if (heap_[child].due < heap_[best].due)
          best = child;
      if (heap_[best].due >= what.due)
        break;
      put(place, heap_[best]);
      place = best;
    }
    put(place, what);
  }

  void remove(std::size_t place) {
    const auto last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size())
      return;
    if (place > 0 && heap_[(place - 1) / 4].due > last.due)
      rise(place, last);
    else
      sink(place, last);
  }

  timer_table timers_;
  std::vector<timer_handle> handles_;
  std::vector<entry> heap_;
};

/// A balanced tree that keeps an iterator per timer.
class multimap_contender {
public:
  static constexpr const char* name = "std::multimap";

  explicit multimap_contender(std::size_t count) : places_(count) {
    // nop
  }

  void schedule(std::uint32_t timer, std::uint64_t due) {
    places_[timer] = timers_.emplace(due, timer);
  }

  void cancel(std::uint32_t timer) {
    timers_.erase(places_[timer]);
  }

  std::uint64_t next() {
    return timers_.empty() ? timing_wheel::never : timers_.begin()->first;
  }

  template <class F>
  void advance(std::uint64_t now, F f) {
    while (next() <= now) {
      const auto payload = timers_.begin()->second;
      timers_.erase(timers_.begin());
      f(static_cast<std::uint32_t>(payload));
    }
  }

private:
  using timer_map = std::multimap<std::uint64_t, std::uint64_t>;

  timer_map timers_;
  std::vector<timer_map::iterator> places_;
};

} // namespace gnomon::benchmarks
