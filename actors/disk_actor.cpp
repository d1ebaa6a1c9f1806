#include "actors/disk_actor.hpp"

namespace gnomon {

disk_actor::disk_actor(caf::actor_config& cfg) : disk_handle::base(cfg) {
  // nop
}

disk_actor::behavior_type disk_actor::make_behavior() {
  return {
    [this](const disk_task& task) -> caf::result<void> {
      if (task.work)
        (*task.work)();
      else
        quit();
      return caf::unit;
    },
  };
}

const char* disk_actor::name() const {
  return "gnomon.disk";
}

} // namespace gnomon
