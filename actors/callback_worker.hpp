// Lets a callback work on jobs.

#pragma once

#include "actors/job_runner.hpp"
#include "actors/worker_actor.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gnomon {

/// What `spawn_worker` spawns. With a concurrency of 1 it calls the callback
/// itself, otherwise it has runners for that.
class callback_worker : public worker_actor {
public:
  callback_worker(caf::actor_config& cfg, partition from, std::string type,
                  job_callback work, worker_options options);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

protected:
  void take(v1::Job next) override;

private:
  void spawn_runners();

  void give_to_runners();

  void run_on(const runner_handle& runner, std::shared_ptr<const v1::Job> what);

  job_callback work_;
  worker_options options_;

  /// All, and those without a job.
  std::vector<runner_handle> runners_;
  std::vector<runner_handle> idle_;

  /// Jobs that no runner has yet, oldest first.
  std::deque<std::shared_ptr<const v1::Job>> unassigned_;
};

} // namespace gnomon
