// The loop of one partition, as a plain object: no actor, no thread.

#pragma once

#include "engine/command_queue.hpp"
#include "engine/effect.hpp"
#include "engine/processing_state_machine.hpp"
#include "engine/record_processor_map.hpp"
#include "gnomon/clock.hpp"
#include "gnomon/partition_options.hpp"
#include "gnomon/record_processor.hpp"
#include "gnomon/result.hpp"
#include "timers/partition_clock.hpp"

#include "partitions/due_scan.hpp"
#include "partitions/job_dispatcher.hpp"
#include "partitions/partition_metrics.hpp"
#include "partitions/partition_status.hpp"
#include "partitions/partition_storage.hpp"
#include "partitions/snapshot_schedule.hpp"
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::partitions {

/// Takes commands in at the front door, processes them in batches, proposes
/// what is due, and gives effects out once they are durable.
///
/// What blocks is handed out as tickets, for somebody with a thread to run:
/// syncs, rolls, snapshots. After any error but `resource_exhausted`,
/// `invalid_argument` and `exceeded_batch_size` the processor has failed: call
/// `distrust`, destroy it, and open it again.
///
/// Threads: opened on one thread and handed over whole; then one owner. `step`
/// begins and ends its state transaction inside one call.
class stream_processor {
public:
  // -- construction -----------------------------------------------------------

  /// Opens the partition, or creates it: recovers what is on disk, replays the
  /// log behind the state, and begins a new epoch. Blocks for as long as that
  /// takes. Once it has returned, everything in the log is durable.
  /// @param files  Borrowed, and so is `time`; both must outlive the processor.
  static result<std::unique_ptr<stream_processor>>
  open(storage::file_system& files, const clock& time,
       partition_options options);

  ~stream_processor();

  // -- the front door ---------------------------------------------------------

  /// Takes a client's command in; nothing is logged yet.
  /// @returns The number that its answer will carry.
  result<std::uint64_t> submit(record command);

  /// Says what is due should be looked for.
  void scan_due();

  /// Adds a worker. @returns Its id.
  std::string subscribe(job_dispatcher::subscription what);

  /// Replaces what a worker asked for, but for the type.
  void change(const std::string& worker, job_dispatcher::subscription what);

  /// Forgets a worker, if it is known, and offers its jobs to others.
  void unsubscribe(const std::string& worker);

  /// Forgets a worker; it keeps the jobs it has until their time is over.
  void release(const std::string& worker);

  /// Says whether `worker` has jobs, whether or not they were pushed already.
  bool has_jobs(const std::string& worker);

  // -- the loop ---------------------------------------------------------------

  /// How a step of the loop ended.
  enum class step_end {
    /// A batch was processed; there may be more.
    progressed,
    /// Nothing is left to do.
    idle,
    /// Waits for the end of a roll, of a pause, of a back-off or of a
    /// suspicious clock.
    held,
  };

  /// Proposes what is due and what workers have room for, then processes one
  /// batch.
  result<step_end> step();

  /// Returns when to call `scan_due`, if nobody comes before.
  std::optional<timestamp> next_due();

  // -- durability -------------------------------------------------------------

  /// Returns a ticket if something written is not durable and no sync is under
  /// way.
  std::optional<storage::sync_ticket> begin_sync();

  result<void> end_sync(const storage::sync_ticket& ticket,
                        const result<void>& outcome);

  /// Returns a ticket if the log wants a spare segment, so that its next roll
  /// is short.
  std::optional<storage::spare_ticket> begin_spare();

  void end_spare(storage::spare_ticket& ticket, const result<void>& outcome);

  /// Returns a ticket if the log needs a new segment and no roll is under way.
  std::optional<storage::roll_ticket> begin_roll();

  result<void> end_roll(storage::roll_ticket& ticket,
                        const result<void>& outcome);

  /// Returns effects that are durable now, in order.
  std::vector<engine::effect> take_effects();

  // -- operator ---------------------------------------------------------------

  /// Stops processing; commands are taken in up to `in_flight_max`. Lasts until
  /// `resume` or until the partition is opened again.
  void pause();

  void resume();

  /// Believes the wall clock as it is.
  void confirm_clock();

  /// Says whether the log has grown enough for a snapshot.
  bool wants_snapshot() const;

  /// Notes the end of a snapshot, and compacts the log behind it.
  result<void> end_snapshot(const storage::snapshot_retirement& outcome);

  /// Syncs, closes and stamps the directory as clean. Commands not processed
  /// are dropped; their callers should be told `errc::unavailable`.
  result<void> close();

  /// After a failure: makes sure that the state is rebuilt. Unless it succeeds,
  /// the directory must not be opened again.
  result<void> distrust();

  // -- queries ----------------------------------------------------------------

  /// Returns a view of the state as applied, up to `applied_position`.
  result<std::unique_ptr<state_reader>> view();

  /// Position that `view` shows; an answer may leave once it is durable.
  position applied_position() const;

  position durable_position() const;

  /// Returns the time of the partition.
  timestamp now();

  bool is_paused() const {
    return paused_;
  }

  partition_storage& storage() {
    return *storage_;
  }

  const std::string& opening_report() const {
    return storage_->report();
  }

  using status = partition_status;

  status current_status() const;

  /// Returns what it has counted since it was opened, and how much waits.
  v1::Metrics current_metrics();

private:
  stream_processor(const clock& time, partition_options options,
                   std::unique_ptr<partition_storage> storage);

  result<void> make_processors();

  result<void> add_processors_of_user();

  result<engine::resume_point> replay();

  result<void> begin_epoch();

  job_dispatcher::subscription
  with_timeout(job_dispatcher::subscription what) const;

  result<void> propose_all(std::vector<record> commands);

  result<void> propose_due(timestamp now);

  result<void> propose_jobs();

  result<step_end> process(timestamp now);

  /// Lets nothing be tried before `delay` is over.
  void wait_for(duration delay);

  bool is_waiting();

  bool has_work() const;

  bool proposals_settled(std::uint64_t mark) const;

  const clock& time_;
  partition_options options_;
  std::unique_ptr<partition_storage> storage_;
  std::vector<std::unique_ptr<record_processor>> processors_;
  std::optional<engine::record_processor_map> map_;
  std::unique_ptr<engine::command_queue> pending_;
  std::unique_ptr<engine::processing_state_machine> machine_;
  timers::partition_clock clock_;
  due_scan due_;
  job_dispatcher dispatcher_;
  snapshot_schedule snapshots_;
  std::deque<engine::queued_effect> effects_;

  std::uint64_t last_request_ = 0;
  std::uint64_t offered_ = 0;
  std::uint64_t due_mark_ = 0;
  std::uint64_t jobs_mark_ = 0;
  std::optional<timestamp> retry_at_;

  /// By the monotonic clock, so that no step of the other one prolongs it.
  std::optional<std::chrono::nanoseconds> wait_until_;
  bool paused_ = false;
  bool suspect_ = false;
  bool must_roll_ = false;
  bool is_rolling_ = false;
  bool is_syncing_ = false;
  status counts_;
  partition_metrics metrics_;

  /// When the sync under way began.
  std::chrono::nanoseconds sync_begin_{0};
};

} // namespace gnomon::partitions
