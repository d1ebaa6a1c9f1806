// Time as a partition sees it: never backwards, and wary of big jumps.

#pragma once

#include "gnomon/clock.hpp"
#include "gnomon/timestamp.hpp"

#include <chrono>
#include <optional>

namespace gnomon::timers {

/// Settings of a partition clock.
struct partition_clock_options {
  /// A forward step of the wall clock, beyond what the monotonic clock went
  /// by, is suspect if it is longer than that.
  duration clock_jump_max = std::chrono::hours{24};

  /// A suspect wall clock is believed once it has gone along with the
  /// monotonic clock for that long.
  duration clock_confirm = std::chrono::minutes{5};

  /// How far it may deviate meanwhile without starting over.
  duration clock_tolerance = std::chrono::seconds{10};
};

/// Gives partition time: the later of the last timestamp and the wall clock.
///
/// A wall clock that goes back makes partition time stand still until it
/// catches up. One that jumps ahead is suspect: the owner must then hold
/// stamping and triggering, since a slip to another century would let
/// everything trigger at once. The suspicion ends when the wall clock returns,
/// when it stays consistent for `clock_confirm`, or with `confirm`.
///
/// Only jumps seen while running are suspect. At the start, months between the
/// last timestamp and the wall clock are nothing but downtime; and a machine
/// that was suspended is no jump, since the monotonic clock goes on.
///
/// Consistency is judged by the readings made; take one at least every minute
/// or so while suspect.
///
/// Threads: one owner.
class partition_clock {
public:
  struct reading {
    /// Partition time; does not advance while suspect.
    timestamp now;

    /// Whether to hold stamping and triggering (`errc::clock_suspect`).
    bool suspect = false;

    friend bool operator==(const reading&, const reading&) = default;
  };

  /// @param source  Borrowed; must outlive the clock.
  explicit partition_clock(const clock& source,
                           partition_clock_options options = {});

  /// Takes the time. Never sooner than any reading before or than what was
  /// restored.
  reading read();

  /// Believes the wall clock as it is now, at the word of an operator.
  void confirm();

  /// Makes partition time start at `last`, the last timestamp in the log or
  /// snapshot, if that is later.
  void restore(timestamp last);

private:
  /// Both clocks at one instant.
  struct instant {
    timestamp wall;
    std::chrono::nanoseconds monotonic{0};
  };

  /// Returns where the wall clock should be at `now` judging by `from`.
  static timestamp expected(const instant& from, const instant& now);

  bool is_jump(const instant& now) const;

  bool is_confirmed(const instant& now);

  void believe(const instant& now);

  instant sample() const;

  const clock& source_;
  partition_clock_options options_;
  timestamp last_ = timestamp::min();

  /// Where the wall clock was when it last moved partition time.
  std::optional<instant> trusted_;

  /// Where it was when the present suspicion began.
  std::optional<instant> suspect_;
};

} // namespace gnomon::timers
