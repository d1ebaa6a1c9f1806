// What waits, and for how long: questions about the timers of one partition.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "gnomon/v1/query.pb.h"
#include "timers/paging.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::timers {

/// A waiting timer as its owner sees it. Plain value.
struct timer_view {
  gnomon::key key;

  /// Due date and number of the next occurrence.
  timestamp due;
  std::uint64_t occurrence = 0;

  std::string target;
  std::string name;

  /// Empty: one-shot.
  std::string expression;
  std::string zone;

  /// Number of a `v1::CatchUp`.
  std::uint32_t catch_up = 0;

  std::uint64_t payload_bytes = 0;

  /// Missed occurrences triggered in a row so far.
  std::uint32_t caught_up = 0;

  friend bool operator==(const timer_view&, const timer_view&) = default;
};

/// Which timers to list.
struct timer_filter {
  /// Only timers with this target, unless empty.
  std::string target;

  /// Only timers due then or before.
  std::optional<timestamp> due_by;
};

/// Some timers, in the order of their keys.
struct timer_page {
  std::vector<timer_view> timers;

  /// Pass it as `after` to go on; none if there are no more.
  std::optional<key> next_after;
};

/// Lists waiting timers with a key behind `after`. A page may hold fewer than
/// it could, even none, and still name a next one: see `visits_max`.
timer_page list_timers(const state_reader& state, key after,
                       const timer_filter& filter, const query_limits& limits);

/// Returns the waiting timer `about`, or nothing.
std::optional<timer_view> describe_timer(const state_reader& state, key about);

/// Returns the waiting timer called `name`, or nothing.
std::optional<timer_view> describe_timer(const state_reader& state,
                                         std::string_view name);

/// How many timers wait for how long. Each is counted once, at the first that
/// fits; a bound belongs to the longer one.
struct horizons {
  std::uint64_t overdue = 0;
  std::uint64_t within_minute = 0;
  std::uint64_t within_hour = 0;
  std::uint64_t within_day = 0;
  std::uint64_t within_30_days = 0;
  std::uint64_t later = 0;

  friend bool operator==(const horizons&, const horizons&) = default;
};

/// What waits at one moment.
struct waiting_room_view {
  timestamp now;

  /// All waiting timers, whether counted below or not.
  std::uint64_t timers = 0;

  horizons all;
  std::map<std::string, horizons> by_target;

  /// The earliest due date at or before `now`.
  std::optional<timestamp> oldest_overdue;

  /// The earliest due date behind `now`.
  std::optional<timestamp> next_due;

  /// `visits_max` was reached: the counts cover only a part.
  bool cut = false;
};

/// Counts the waiting timers. Costs one visit for each.
waiting_room_view waiting_room(const state_reader& state, timestamp now,
                               std::size_t visits_max);

v1::TimerView to_message(const timer_view& timer);

v1::TimerPage to_message(const timer_page& page);

v1::WaitingRoomView to_message(const waiting_room_view& room);

} // namespace gnomon::timers
