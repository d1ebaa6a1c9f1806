// `gnomon verify`: looks for damage.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

/// Verifies everything and prints what it found.
/// @returns The exit status: of the first kind of damage, if any.
int run_verify(const partition_selection& request,
               const command_context& context);

} // namespace gnomon::tools
