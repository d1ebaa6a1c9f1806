// `gnomon log`: the records of a partition.

#pragma once

#include "tools/command.hpp"

namespace gnomon::tools {

struct log_request {
  partition_selection which = {};

  /// Position to begin at; 0: the first one there is.
  std::uint64_t from = 0;

  /// Only this value type, by name or number, unless empty.
  std::string type = {};

  /// Only records about this key, unless 0.
  std::uint64_t key = 0;

  /// Ends after so many records; 0: never.
  std::uint64_t limit = 0;

  /// Waits for more at the end.
  bool follow = false;
};

/// Prints records, one a line. Following needs one partition.
/// @returns The exit status.
int run_log(const log_request& request, const command_context& context);

} // namespace gnomon::tools
