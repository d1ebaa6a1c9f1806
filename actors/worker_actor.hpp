// Takes jobs of a type and answers them.

#pragma once

#include "actors/job_runner.hpp"
#include "actors/private_messages.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gnomon {

/// Subscribes to a partition, lets the callback run for each pushed job, and
/// submits what it has led to. Subscribes again while the partition is
/// unavailable; ends with it, or once it is drained.
///
/// With a concurrency of 1 it calls the callback itself, otherwise it has
/// runners for that.
class worker_actor : public callback_worker::base {
public:
  worker_actor(caf::actor_config& cfg, partition from, std::string type,
               job_callback work, worker_options options);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

private:
  void subscribe_to_jobs();

  void take(std::shared_ptr<const v1::Job> pushed);

  void give_to_runners();

  void run_on(const runner_handle& runner, std::shared_ptr<const v1::Job> what);

  /// Submits the answer to a job, again and again if need be.
  void answer(std::shared_ptr<const v1::Command> what);

  /// Sees what the partition said about an answer.
  void judge(const std::shared_ptr<const v1::Command>& what,
             const v1::Answer& said);

  void answer_later(std::shared_ptr<const v1::Command> what);

  void answered();

  void drain_now();

  void end_when_drained();

  partition from_;
  std::string type_;
  job_callback work_;
  worker_options options_;

  /// All, and those without a job.
  std::vector<runner_handle> runners_;
  std::vector<runner_handle> idle_;

  /// Jobs that no runner has yet, oldest first.
  std::deque<std::shared_ptr<const v1::Job>> waiting_;

  /// Answers to be submitted again.
  std::vector<std::shared_ptr<const v1::Command>> unanswered_;

  /// Jobs taken and not answered, or whose answer has not arrived.
  std::size_t held_ = 0;

  bool is_draining_ = false;
};

} // namespace gnomon
