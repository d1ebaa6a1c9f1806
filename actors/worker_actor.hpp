// What all actors that take jobs of a partition have in common.

#pragma once

#include "actors/private_messages.hpp"
#include "gnomon/v1/job.pb.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace gnomon {

/// Subscribes to a partition, takes what is pushed job by job, and submits the
/// answers, several in one request where they come close together. What the
/// partition could not take is submitted again. Subscribes again while the
/// partition is unavailable; ends with it, or once it is drained.
///
/// Usage: derive from it, and lead each `take` to one `answer`, whenever.
class worker_actor : public worker_impl::base {
public:
  worker_actor(caf::actor_config& cfg, partition from,
               v1::SubscribeRequest wanted);

  behavior_type make_behavior() override;

  void on_exit() override;

protected:
  /// Begins to work on a job.
  virtual void take(v1::Job next) = 0;

  /// Submits what has become of a job.
  void answer(v1::Command what);

  const partition& from() const {
    return from_;
  }

private:
  using commands = std::vector<v1::Command>;

  void subscribe_to_jobs();

  void take_in(const job_push& pushed);

  /// Works on what it was handed, and lets others have their say meanwhile.
  void work_on();

  void submit_answers();

  void submit_request(commands what);

  /// Sees what the partition said about an answer.
  void judge(v1::Command what, const v1::Answer& said);

  void answer_later(v1::Command what);

  void answered();

  void drain_now();

  void end_when_drained();

  partition from_;
  v1::SubscribeRequest wanted_;

  /// Jobs not begun with, oldest first.
  std::deque<v1::Job> waiting_;

  /// Answers to be submitted.
  commands answers_;

  /// Answers to be submitted again.
  commands refused_;

  /// Jobs handed over whose answer has not got through.
  std::size_t held_ = 0;

  /// A `submit_gathered` or the end of `work_on` is to come.
  bool is_gathering_ = false;

  bool is_draining_ = false;
};

} // namespace gnomon
