// `gnomon incidents`: what somebody must look at.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

struct incidents_request {
  partition_selection which = {};

  /// Of each partition; 0: all.
  std::uint64_t limit = 100;
};

/// Prints incidents that are not resolved, oldest first.
/// @returns The exit status.
int run_incidents(const incidents_request& request,
                  const command_context& context);

} // namespace gnomon::tools
