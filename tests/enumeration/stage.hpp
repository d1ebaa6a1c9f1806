// A simulated partition that follows a script.

#pragma once

#include "tests/simulation/simulated_partition.hpp"

#include <cstdint>
#include <string>

namespace gnomon::enumeration {

using simulation::call_fault;

/// The first half are the words of scripts: each does nothing if the partition
/// is not open, and throws `simulation::process_end` if its process ends there.
class stage : private simulation::simulated_partition {
public:
  /// @param scratch  Directory for the files that LMDB needs; of this alone.
  explicit stage(const storage::path& scratch);

  // -- scripts ----------------------------------------------------------------

  void open();

  void close();

  /// Asks for a timer; with a target, it leads to a job.
  void create(duration after, const char* target = "",
              std::size_t payload_bytes = 20);

  /// Asks to cancel the oldest timer.
  void cancel();

  /// Asks to move the oldest timer.
  void reschedule(duration after);

  /// Takes jobs of `target`, one at a time more than it has.
  void subscribe(const char* target);

  /// Says that all jobs that workers have are done.
  void complete_all();

  void snapshot();

  void advance(duration by);

  void scan_due();

  /// Processes one batch.
  void turn();

  /// Runs the first task of the log's disk, or hands its outcome back.
  void run_log_task();
  void end_log_task();

  /// Lets all happen that needs no time.
  void settle();

  // -- those who break it -----------------------------------------------------

  void arm(const call_fault& what) {
    disk_.arm(what);
  }

  bool has_failed() const {
    return disk_.failed_calls() > 0;
  }

  std::size_t unsynced_changes() const {
    return disk_.unsynced_changes();
  }

  using simulated_partition::cut_power;
  using simulated_partition::kill_process;

  /// Goes on without faults, until everything due has happened; closes, cuts
  /// the power, opens again.
  /// @returns The first promise that was broken; empty if none was.
  std::string verdict();

private:
  /// Runs `action` if the partition is open.
  template <class Action>
  void act(Action action) {
    if (host_.is_open())
      action();
    if (disk_.has_ended())
      throw simulation::process_end{};
  }

  void submit(const v1::Command& what);
};

} // namespace gnomon::enumeration
