// Calls a function for each job of a type.

#pragma once

#include "actors/private_messages.hpp"

#include <functional>
#include <string>

namespace gnomon {

/// Subscribes to a partition, runs the callback for each pushed job, and
/// completes the job. Subscribes again while the partition is unavailable; ends
/// with it.
class worker_actor : public worker_impl::base {
public:
  using callback = std::function<bytes(const job&)>;

  worker_actor(caf::actor_config& cfg, partition from, std::string type,
               callback work, worker_options options);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

private:
  void subscribe_to_jobs();

  void subscribe_later();

  void run(const v1::Job& pushed);

  void complete(const job& done, bytes result);

  partition from_;
  std::string type_;
  callback work_;
  worker_options options_;
};

} // namespace gnomon
