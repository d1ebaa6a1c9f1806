// Sends the durable messages of a partition as they become due.

#pragma once

#include "actors/worker_actor.hpp"
#include "gnomon/durable_send.hpp"
#include "gnomon/v1/durable_send.pb.h"

#include <string>

namespace gnomon {

/// A worker for all jobs whose type begins with `send_target_prefix`: sends
/// what they hold, completes them when it is answered, and fails them
/// otherwise.
class durable_send_actor : public worker_actor {
public:
  durable_send_actor(caf::actor_config& cfg, partition from,
                     sender_options options);

  const char* name() const override;

  void on_exit() override;

protected:
  void take(v1::Job next) override;

private:
  /// What it takes to answer a job.
  struct activated_job {
    gnomon::key key;
    std::uint32_t activation = 0;
  };

  void send_to(const caf::actor& receiver, caf::message content,
               activated_job about, const std::string& whom);

  void complete(activated_job about);

  void fail_for_now(activated_job about, std::string why);

  /// For what no retry can help.
  void fail_for_good(activated_job about, std::string why);

  sender_options options_;
};

} // namespace gnomon
