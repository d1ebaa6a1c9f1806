// `gnomon snapshot`: takes a snapshot of a partition that is not running.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

/// Takes one of each partition that was named. @returns The exit status.
int run_snapshot(const partition_selection& request,
                 const command_context& context);

} // namespace gnomon::tools
