// What the actors of one host share.

#pragma once

#include "actors/private_messages.hpp"
#include "gnomon/clock.hpp"
#include "storage/ports/file_system.hpp"

namespace gnomon {

/// Ports and actors that partitions borrow from their host.
struct host_environment {
  const clock* time = nullptr;
  storage::file_system* files = nullptr;
  timer_handle timer;

  /// Whether what blocks gets threads of its own; only tests say no.
  bool detach_disk_actors = true;
};

} // namespace gnomon
