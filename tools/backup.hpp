// `gnomon backup`: partitions into one file.

#pragma once

#include "tools/command.hpp"

#include "inspection/backup.hpp"

namespace gnomon::tools {

struct backup_request {
  partition_selection which = {};

  /// The archive to make.
  std::string file = {};
};

/// Backs up, and prints what the archive has. @returns The exit status.
int run_backup(const backup_request& request, const command_context& context);

/// Prints what an archive has, for backup and restore.
void print(const std::vector<inspection::partition_backup>& all, bool as_json,
           std::ostream& out);

} // namespace gnomon::tools
