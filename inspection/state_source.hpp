// A state to look at: the partition's own, if it may be opened, or one made
// from snapshot and log.

#pragma once

#include "gnomon/state.hpp"
#include "storage/ports/bookkeeping.hpp"
#include "storage/stamp.hpp"
#include "storage/state_store.hpp"

#include "inspection/log_replay.hpp"
#include "inspection/partition_folder.hpp"
#include "inspection/progress.hpp"
#include "inspection/scratch_folder.hpp"
#include <memory>
#include <optional>
#include <string>

namespace gnomon::inspection {

/// Returns whether the partition's own state may be opened, by its stamp.
result<storage::distrust_reason> judge_state(storage::file_system& files,
                                             const partition_folder& folder,
                                             storage::log_id id);

/// Opens the partition's own state for reading, beside its owner.
/// @pre `judge_state` trusts it.
result<std::unique_ptr<storage::state_store>>
open_own_state(const partition_folder& folder);

/// What a view shows.
struct state_view {
  std::unique_ptr<state_reader> reader;

  /// Up to where it is applied; may be ahead of what is durable.
  storage::state_bookkeeping book;
};

/// Opened for reading only. A view of the partition's own state keeps LMDB from
/// reusing pages while it lives: keep it short.
class state_source {
public:
  /// Opens the state in place if its stamp is trusted and it belongs to the
  /// log; otherwise replays into a folder within `scratch`, and the partition's
  /// own state is not touched.
  /// @param files  Borrowed; must outlive this object.
  static result<state_source>
  open(storage::file_system& files, const partition_folder& folder,
       storage::log_id id, const storage::path& scratch, progress& watcher);

  /// Returns a view of what was committed last.
  result<state_view> view();

  /// Says why the state was made anew; empty if it was not.
  const std::string& rebuilt_because() const {
    return rebuilt_because_;
  }

  /// Says what a state made anew lacks; empty if nothing.
  std::string lacking() const;

private:
  state_source() = default;

  result<void> rebuild(storage::file_system& files,
                       const partition_folder& folder, storage::log_id id,
                       const storage::path& scratch, progress& watcher);

  std::string rebuilt_because_;
  std::optional<scratch_folder> folder_;
  std::unique_ptr<log_replay> replayed_;
  std::unique_ptr<storage::state_store> own_;
};

/// Chooses where to begin a replay: the newest good snapshot up to `end` that
/// the log goes on behind, or none if the log begins at position 1.
/// `errc::not_recoverable` if there is neither.
result<position> choose_base(storage::file_system& files,
                             const partition_folder& folder, storage::log_id id,
                             position end);

} // namespace gnomon::inspection
