#include "partitions/partition_metrics.hpp"

#include "jobs/incident_queries.hpp"
#include "jobs/incident_state.hpp"
#include "jobs/job_queries.hpp"
#include "timers/timer_state.hpp"

namespace gnomon::partitions {

using engine::record_kind;

void partition_metrics::count(std::span<const record_kind> records) {
  for (const auto& kind : records) {
    const auto type = static_cast<std::size_t>(kind.value_type);
    const auto what = static_cast<std::size_t>(kind.intent.value);
    const auto how = static_cast<std::size_t>(kind.record_type);
    if (type < value_types_max && what < intents_max && how < record_types_max)
      ++own_[(type * intents_max + what) * record_types_max + how];
    else
      ++others_[kind];
  }
}

void partition_metrics::observe_lateness(const std::vector<due_entry>& due,
                                         timestamp now) {
  for (const auto& entry : due)
    if (entry.value_type == value_type::timer && entry.due <= now)
      lateness_ms_.observe(
        static_cast<std::uint64_t>((now - entry.due).count()));
}

void partition_metrics::fill(v1::Metrics& to) const {
  const auto add = [&](std::size_t type, std::size_t what, std::size_t how,
                       std::uint64_t count) {
    auto& one = *to.add_records();
    one.set_record_type(static_cast<std::uint32_t>(how));
    one.set_value_type(static_cast<std::uint32_t>(type));
    one.set_intent(static_cast<std::uint32_t>(what));
    one.set_count(count);
  };
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (own_[i] > 0)
      add(i / record_types_max / intents_max,
          i / record_types_max % intents_max, i % record_types_max, own_[i]);
  for (const auto& [kind, count] : others_)
    add(static_cast<std::size_t>(kind.value_type), kind.intent.value,
        static_cast<std::size_t>(kind.record_type), count);
  copy(batch_commands, *to.mutable_batch_commands());
  copy(processing_us, *to.mutable_processing_us());
  copy(sync_us, *to.mutable_sync_us());
  copy(lateness_ms_, *to.mutable_lateness_ms());
  to.set_snapshots(snapshots);
  to.set_segments_compacted(segments_compacted);
  to.set_replay_us(replay_us);
}

void describe_waiting(const state_reader& state, timestamp now,
                      std::size_t overdue_max, v1::Metrics& to) {
  to.set_timers_waiting(state.count(timers::timer_family));
  const auto jobs = to_message(jobs::count_jobs(state, 1));
  to.set_jobs_available(jobs.available());
  to.set_jobs_activated(jobs.activated());
  to.set_jobs_backing_off(jobs.backing_off());
  to.set_jobs_failed(jobs.failed());
  to.set_incidents(state.count(jobs::incident_family));
  std::uint64_t overdue = 0;
  due_index::visit_near(state, due_entry{timestamp::min()},
                        [&](const due_entry& entry) {
                          if (entry.due > now)
                            return false;
                          if (overdue == 0)
                            to.set_oldest_overdue_ms((now - entry.due).count());
                          return ++overdue < overdue_max;
                        });
  to.set_overdue(overdue);
  to.set_now_ms(now.value);
}

void copy(const histogram& from, v1::Histogram& to) {
  to.mutable_bounds()->Assign(from.bounds().begin(), from.bounds().end());
  to.mutable_counts()->Assign(from.counts().begin(), from.counts().end());
  to.set_sum(from.sum());
}

std::uint64_t microseconds_since(const clock& time,
                                 std::chrono::nanoseconds begin) {
  const auto passed = time.monotonic() - begin;
  return static_cast<std::uint64_t>(
    std::chrono::duration_cast<std::chrono::microseconds>(passed).count());
}

} // namespace gnomon::partitions
