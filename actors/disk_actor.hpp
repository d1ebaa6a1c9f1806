// Does what blocks, so that nobody else has to.

#pragma once

#include "actors/private_messages.hpp"

namespace gnomon {

/// Runs disk tasks in the order they come. Usually detached: a sync takes as
/// long as the disk wants. A partition has one for the log and one for
/// everything that takes longer than a sync.
class disk_actor : public disk_handle::base {
public:
  explicit disk_actor(caf::actor_config& cfg);

  behavior_type make_behavior() override;

  const char* name() const override;
};

} // namespace gnomon
