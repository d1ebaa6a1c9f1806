// What a partition counts while it works.

#pragma once

#include "engine/record_batch.hpp"
#include "gnomon/clock.hpp"
#include "gnomon/due_index.hpp"
#include "gnomon/state.hpp"
#include "gnomon/v1/metrics.pb.h"

#include "partitions/histogram.hpp"
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace gnomon::partitions {

/// Plain counters without locks or atomics: they are copied out by whoever
/// asks, in the thread of the owner.
///
/// Threads: one owner, the partition.
class partition_metrics {
public:
  /// Counts the records of a batch that was written.
  void count(std::span<const engine::record_kind> records);

  /// Observes by how much those of `due` that are timers are late.
  void observe_lateness(const std::vector<due_entry>& due, timestamp now);

  /// Puts what was counted into `to`.
  void fill(v1::Metrics& to) const;

  histogram batch_commands{1, 2, 5, 10, 25, 50, 100, 250, 500, 1'000};
  histogram processing_us{duration_bounds_us};
  histogram sync_us{duration_bounds_us};
  std::uint64_t snapshots = 0;
  std::uint64_t segments_compacted = 0;
  std::uint64_t replay_us = 0;

private:
  // Numbers of the library's own kinds are below these.
  static constexpr std::size_t value_types_max = 16;
  static constexpr std::size_t intents_max = 32;
  static constexpr std::size_t record_types_max = 4;

  std::array<std::uint64_t, value_types_max * intents_max * record_types_max>
    own_{};
  std::map<engine::record_kind, std::uint64_t> others_;
  histogram lateness_ms_{0,     10,     100,    250,     500,      1'000,
                         5'000, 10'000, 60'000, 600'000, 3'600'000};
};

/// Puts how many timers and jobs wait, and how many are overdue, into `to`.
/// Cheap: counts at most `overdue_max` entries one by one.
void describe_waiting(const state_reader& state, timestamp now,
                      std::size_t overdue_max, v1::Metrics& to);

void copy(const histogram& from, v1::Histogram& to);

/// Returns the time since `begin` in microseconds.
std::uint64_t microseconds_since(const clock& time,
                                 std::chrono::nanoseconds begin);

} // namespace gnomon::partitions
