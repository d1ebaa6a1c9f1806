// `gnomon top`: a live screen of the waiting room.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

struct top_request {
  partition_selection which = {};

  /// Prints one screen and ends.
  bool once = false;

  /// Time between two screens.
  std::uint32_t interval_seconds = 2;

  /// Screens to print; 0: until it is interrupted.
  std::uint64_t screens_max = 0;
};

/// Prints how many timers wait, by partition and by target, again and again.
/// On a terminal, each screen replaces the one before. @returns The exit
/// status.
int run_top(const top_request& request, const command_context& context);

} // namespace gnomon::tools
