#include "inspection/verification.hpp"

#include "storage/system_file_system.hpp"

#include "inspection/verifier.hpp"

namespace gnomon::inspection {

std::string to_string(damage kind) {
  switch (kind) {
  case damage::identity:
    return "identity";
  case damage::format_too_new:
    return "format_too_new";
  case damage::log_corrupted:
    return "log_corrupted";
  case damage::missing_segment:
    return "missing_segment";
  case damage::lost_data:
    return "lost_data";
  case damage::two_writers:
    return "two_writers";
  case damage::record:
    return "record";
  case damage::snapshot:
    return "snapshot";
  case damage::state_differs:
    return "state_differs";
  case damage::not_recoverable:
    return "not_recoverable";
  }
  return "unknown";
}

result<verification> verify_partition(storage::file_system& files,
                                      const partition_folder& folder,
                                      const storage::path& scratch,
                                      progress& watcher) {
  constexpr int attempts_max = 3;
  for (int attempt = 1;; ++attempt) {
    const auto running = storage::is_locked(folder.lock_file());
    auto outcome = verifier{files, folder, scratch, watcher}.run();
    watcher.end();
    const auto is_running = running && *running;
    const auto is_settled = outcome && outcome->findings.empty();
    if (is_settled || !is_running || attempt == attempts_max) {
      if (outcome)
        outcome->is_running = is_running;
      return outcome;
    }
  }
}

} // namespace gnomon::inspection
