// Brings a log on disk into the state in which it can be written.

#pragma once

#include "gnomon/result.hpp"
#include "storage/log_options.hpp"
#include "storage/log_survey.hpp"
#include "storage/ports/file_system.hpp"

#include <memory>

namespace gnomon::storage {

/// A log that may be written. All that `survey` describes is durable.
struct recovered_log {
  log_survey survey;
  opening_report report;

  /// The last segment, open for writing.
  std::unique_ptr<file> active;
};

/// Syncs what a killed process may have left in the cache, looks at the log,
/// cuts what was never acknowledged, and creates the first segment of a new
/// log. The errors are those of `log::open`; a crash at any step is repaired by
/// doing it again.
result<recovered_log> recover_log(file_system& files, const path& directory,
                                  const log_options& options,
                                  const open_hints& hints);

} // namespace gnomon::storage
