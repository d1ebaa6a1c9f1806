// The steps of a verification. Private to the sources of this room.

#pragma once

#include "storage/log_survey.hpp"
#include "storage/snapshot_store.hpp"

#include "inspection/log_replay.hpp"
#include "inspection/scratch_folder.hpp"
#include "inspection/verification.hpp"
#include <optional>
#include <vector>

namespace gnomon::inspection {

/// Looks once; see `verify_partition`.
class verifier {
public:
  verifier(storage::file_system& files, const partition_folder& folder,
           const storage::path& scratch, progress& watcher);

  result<verification> run();

private:
  enum class milestone_kind : bool { snapshot, own_state };

  /// A state that replay must come by.
  struct milestone {
    position at;
    milestone_kind kind = milestone_kind::snapshot;
    storage::path directory;
  };

  void find(damage kind, const std::string& what);

  /// Takes what a step ended in: damage is a finding, all else is returned.
  result<void> judge(const gnomon::error& what);

  result<void> look_at_log();

  result<void> look_at_records();

  result<void> look_at_snapshots();

  result<void> look_at_snapshot(position at);

  result<void> look_into_snapshot(const storage::snapshot_manifest& expected);

  result<void> look_at_state();

  result<void> copy_state();

  result<void> look_at_replay();

  result<void> replay_from(position base);

  result<void> compare(const milestone& with, log_replay& replayed);

  position durable_at_least();

  storage::file_system& files_;
  partition_folder folder_;
  storage::path scratch_;
  progress& watcher_;
  verification outcome_;
  storage::log_id id_;
  std::optional<storage::log_survey> log_;
  std::vector<milestone> milestones_;
  std::optional<scratch_folder> copies_;
};

} // namespace gnomon::inspection
