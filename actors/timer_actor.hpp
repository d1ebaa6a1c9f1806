// Wakes partitions when something of theirs is due.

#pragma once

#include "actors/private_messages.hpp"
#include "gnomon/clock.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gnomon {

/// One for all partitions of an actor system. It holds no timers: it looks at
/// the next-due reference of each partition, which is one atomic word, and has
/// one CAF timeout armed, for the earliest of them.
///
/// It only wakes; whether something is due is for the partition to find out. It
/// sleeps `idle_max` at most, and lets all partitions look when it finds that
/// the wall clock has jumped.
class timer_actor : public timer_handle::base {
public:
  /// Longest sleep; a safety net for jumps of the wall clock.
  static constexpr duration idle_max = std::chrono::seconds{60};

  /// Deviation of the wall clock from the monotonic one that counts as a jump.
  static constexpr duration jump_min = std::chrono::seconds{1};

  /// @param time  Borrowed; must outlive the actor.
  timer_actor(caf::actor_config& cfg, const gnomon::clock& time);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

private:
  struct watched {
    partition_impl whom;
    std::shared_ptr<timers::next_due_reference> reference;
  };

  void change(const watch_reference& what);

  void look();

  void arm(timestamp now);

  bool wall_has_jumped(timestamp now);

  const gnomon::clock& time_;
  std::vector<watched> watched_;

  /// What the newest alarm was armed for; `timestamp::max()` if none is.
  timestamp armed_for_ = timestamp::max();
  std::uint64_t generation_ = 0;

  /// Wall clock minus monotonic clock, when last looked at.
  std::optional<std::int64_t> offset_ms_;
};

} // namespace gnomon
