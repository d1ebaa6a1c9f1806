// `gnomon restore`: partitions out of a backup.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

struct restore_request {
  /// The archive.
  std::string file = {};

  /// The folder of partitions to make.
  std::string directory = {};

  bool as_json = false;
};

/// Verifies and restores, and prints what there is now.
/// @returns The exit status.
int run_restore(const restore_request& request, const command_context& context);

} // namespace gnomon::tools
