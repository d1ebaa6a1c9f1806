// Stands in for the partition actor and its disk actors: who calls what.

#pragma once

#include "gnomon/partition_options.hpp"
#include "tests/simulation/client.hpp"
#include "tests/simulation/log_model.hpp"
#include "tests/simulation/simulated_disk.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/support/manual_clock.hpp"

#include "partitions/stream_processor.hpp"
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::simulation {

/// Owns a stream processor and the work that waits for it. Each member does one
/// thing that an actor does in one message; a scheduler decides which is next.
/// A `process_end` thrown by the disk passes through: call `drop` then.
class partition_host {
public:
  /// Work in two halves: on a disk actor, and back in the partition.
  struct task {
    std::function<void()> run;
    std::function<void()> done;
  };

  using queue = std::deque<task>;

  struct surroundings {
    simulated_disk& disk;
    const clock& time;
    log_model& log;
    client& user;
    trace& to;
  };

  partition_host(const surroundings& around, partition_options options);

  // -- life -------------------------------------------------------------------

  bool is_open() const {
    return core_ != nullptr;
  }

  /// Opens it, or tries to; first makes sure that a failed one is distrusted.
  void open();

  /// Closes it as on request. What is not processed is lost.
  void close();

  /// Forgets everything, as the end of the process does.
  void drop();

  // -- messages ---------------------------------------------------------------

  void submit(record command);

  /// One step, and what an actor does after it.
  void turn();

  /// Lets the timer actor look at the next due date.
  void look_at_due();

  void scan_due();

  void subscribe(partitions::job_dispatcher::subscription what);

  void unsubscribe(std::size_t index);

  void start_snapshot();

  /// Gives out what is durable.
  void release();

  /// Runs the first task of a disk actor. @returns False if there is none.
  bool run_log_task() {
    return run_first(log_tasks_, log_done_);
  }

  bool run_side_task() {
    return run_first(side_tasks_, side_done_);
  }

  /// Hands the first outcome back. @returns False if there is none.
  bool end_log_task() {
    return end_first(log_done_);
  }

  bool end_side_task() {
    return end_first(side_done_);
  }

  /// Runs and ends all tasks.
  void drain();

  // -- queries ----------------------------------------------------------------

  std::size_t workers() const {
    return workers_.size();
  }

  std::optional<timestamp> next_due() const {
    return next_due_;
  }

  /// Whether the last step found nothing to do and nothing is under way.
  bool is_quiet() const;

  partitions::stream_processor& core() {
    return *core_;
  }

private:
  static bool run_first(queue& from, queue& to);

  static bool end_first(queue& from);

  void pump();

  void start_sync();

  void start_roll();

  void start_spare();

  void publish_snapshot(position at);

  void end_snapshot(const result<storage::snapshot_retirement>& outcome);

  void fail(const error& why);

  /// A failure is fine only if a call has failed since it was opened.
  void excuse(const error& why);

  surroundings around_;
  partition_options options_;
  std::unique_ptr<partitions::stream_processor> core_;
  std::unique_ptr<partitions::stream_processor> failed_;
  std::vector<std::string> workers_;
  queue log_tasks_;
  queue log_done_;
  queue side_tasks_;
  queue side_done_;
  std::optional<timestamp> next_due_;
  std::optional<position> unpublished_;
  bool is_snapshotting_ = false;
  bool is_idle_ = false;
  std::uint64_t excused_calls_ = 0;
};

} // namespace gnomon::simulation
