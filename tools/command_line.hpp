// What the tool understands on its command line.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

/// Parses the arguments and runs the command they name.
/// @returns The exit status.
int run_command_line(int argc, const char* const* argv,
                     const command_context& context);

} // namespace gnomon::tools
