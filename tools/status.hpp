// `gnomon status`: how the partitions of a folder are.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

/// Prints for each partition what it holds, and where log, state and snapshots
/// stand.
/// @returns The exit status.
int run_status(const partition_selection& request,
               const command_context& context);

} // namespace gnomon::tools
