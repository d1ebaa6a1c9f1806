// Which faults strike a run, and when.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::simulation {

enum class fault_kind : std::uint8_t {
  /// The process ends between two steps.
  kill,
  /// The power goes between two steps.
  power_cut,
  /// The process ends in a call of the file system, `amount` calls from then.
  kill_in_call,
  /// The power goes in a call of the file system.
  power_cut_in_call,
  /// `detail` calls fail, the first of them `amount` calls from then.
  io_error,
  /// As above, and the device is full.
  out_of_space,
  /// The wall clock steps by `amount` ms, either way.
  clock_jump,
  /// The wall clock stands still for `amount` ms.
  clock_stop,
  /// The log's disk does nothing for `amount` steps.
  slow_disk,
  /// A bit of the newest snapshot flips; only the first of these strikes.
  rotten_snapshot,
};

inline constexpr std::uint64_t fault_kinds = 10;

/// One fault. Plain value.
struct planned_fault {
  std::uint64_t at_step = 0;
  fault_kind what = fault_kind::kill;
  std::int64_t amount = 0;
  std::uint64_t detail = 0;

  friend bool operator==(const planned_fault&, const planned_fault&) = default;
};

using fault_plan = std::vector<planned_fault>;

/// Draws up to ten faults of a random subset of kinds, ordered by step.
fault_plan draw_faults(std::uint64_t seed, std::uint64_t steps);

std::string to_string(const planned_fault& what);

/// Returns the faults of `plan` that a failure needs: drops one after the other
/// while `fails` still says yes.
template <class Fails>
fault_plan shrink(fault_plan plan, Fails fails) {
  for (std::size_t i = plan.size(); i > 0; --i) {
    auto fewer = plan;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (fails(fewer))
      plan = std::move(fewer);
  }
  return plan;
}

} // namespace gnomon::simulation
