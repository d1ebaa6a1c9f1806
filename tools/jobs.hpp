// `gnomon jobs`: the jobs that wait or that workers have.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

struct jobs_request {
  partition_selection which = {};

  /// Only this one, unless empty.
  std::string type = {};

  /// Of each partition; 0: all.
  std::uint64_t limit = 100;
};

/// Prints jobs, oldest first. @returns The exit status.
int run_jobs(const jobs_request& request, const command_context& context);

} // namespace gnomon::tools
