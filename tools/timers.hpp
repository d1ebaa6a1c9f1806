// `gnomon timers`: the timers that wait.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

struct timers_request {
  partition_selection which = {};

  /// Only those with this target, unless empty.
  std::string target = {};

  /// Only those that are due by now.
  bool overdue = false;

  /// Of each partition; 0: all.
  std::uint64_t limit = 100;
};

/// Prints timers in the order of their keys, that is, as they were created.
/// @returns The exit status.
int run_timers(const timers_request& request, const command_context& context);

} // namespace gnomon::tools
