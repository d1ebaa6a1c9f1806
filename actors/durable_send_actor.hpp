// Sends the durable messages of a partition as they become due.

#pragma once

#include "actors/private_messages.hpp"
#include "gnomon/durable_send.hpp"
#include "gnomon/v1/durable_send.pb.h"

#include <string>

namespace gnomon {

/// A worker for all jobs whose type begins with `send_target_prefix`: sends
/// what they hold, completes them when it is answered, and fails them
/// otherwise. Subscribes again while the partition is unavailable; ends with
/// it.
class durable_send_actor : public worker_impl::base {
public:
  durable_send_actor(caf::actor_config& cfg, partition from,
                     sender_options options);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

private:
  /// What it takes to answer a job.
  struct activated_job {
    gnomon::key key;
    std::uint32_t activation = 0;
  };

  void subscribe_to_jobs();

  void deliver(const v1::Job& pushed);

  void send_to(const caf::actor& receiver, caf::message content,
               activated_job about, const std::string& whom);

  void complete(activated_job about);

  void fail_for_now(activated_job about, std::string why);

  /// For what no retry can help.
  void fail_for_good(activated_job about, std::string why);

  template <class Command>
  void answer(const Command& command);

  partition from_;
  sender_options options_;
};

} // namespace gnomon
