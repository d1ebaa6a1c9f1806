#include "storage/snapshot_recovery.hpp"

#include "gnomon/check.hpp"
#include "storage/snapshot_store.hpp"

namespace gnomon::storage {

namespace {

path state_file(const partition_directory& directory) {
  return directory.state_directory() / state_file_name;
}

result<std::optional<file_identity>>
identify_state(file_system& files, const partition_directory& directory) {
  auto there = files.exists(state_file(directory));
  if (!there)
    return there.error();
  if (!*there)
    return std::optional<file_identity>{};
  auto found = files.identity(state_file(directory));
  if (!found)
    return found.error();
  return std::optional<file_identity>{*found};
}

// Writes the stamp only if it says something new: two syncs less.
result<void> stamp_kept(file_system& files,
                        const partition_directory& directory,
                        const stamp& found, const boot_id& boot) {
  auto opened = found;
  opened.clean = false;
  opened.boot = boot;
  if (opened == found)
    return {};
  return write_stamp(files, directory.stamp_file(), opened);
}

result<void> stamp_state(file_system& files,
                         const partition_directory& directory, stamp content) {
  auto found = identify_state(files, directory);
  if (!found)
    return found.error();
  if (!*found)
    return {errc::not_found, "stamp " + state_file(directory).string()
                               + ": there is no such file"};
  content.log = directory.identity().log;
  content.state_file = **found;
  if (auto done = files.sync_directory(directory.state_directory()); !done)
    return done;
  return write_stamp(files, directory.stamp_file(), content);
}

// The stamp goes first: without it, whatever is left is deleted next time.
result<void> remove_state(file_system& files,
                          const partition_directory& directory) {
  auto there = files.exists(directory.stamp_file());
  if (!there)
    return there.error();
  if (*there) {
    if (auto done = files.remove(directory.stamp_file()); !done)
      return done;
    if (auto done = files.sync_directory(directory.location()); !done)
      return done;
  }
  if (auto done = files.remove_all(directory.state_directory()); !done)
    return done;
  if (auto done = files.create_directories(directory.state_directory()); !done)
    return done;
  return files.sync_directory(directory.location());
}

// Says why the log cannot go on from `at`, if so.
std::optional<error> check_reach(position at, const log_extent& log) {
  if (at > log.last)
    return error{errc::lost_data, "use snapshot " + std::to_string(at.value)
                                    + ": the log ends at "
                                    + std::to_string(log.last.value)};
  if (at.next() < log.first)
    return error{errc::lost_data, "use snapshot " + std::to_string(at.value)
                                    + ": the log begins at "
                                    + std::to_string(log.first.value)};
  return std::nullopt;
}

error not_recoverable(const partition_directory& directory,
                      const log_extent& log,
                      const std::vector<error>& passed_over) {
  auto context = "recover state of " + directory.location().string()
                 + ": the log begins at " + std::to_string(log.first.value)
                 + " and no snapshot can be used";
  auto code = errc::not_recoverable;
  for (const auto& one : passed_over) {
    context += "; " + to_string(one);
    // One that cannot be read now is not lost.
    if (one.code == errc::io_error)
      code = errc::io_error;
  }
  return {code, std::move(context)};
}

bool is_final(errc code) {
  return code == errc::format_too_new || code == errc::wrong_identity;
}

// Chooses what to begin from; changes nothing.
result<recovered_state> choose_origin(snapshot_store& snapshots,
                                      const partition_directory& directory,
                                      const log_extent& log) {
  auto all = snapshots.list();
  if (!all)
    return all.error();
  recovered_state chosen;
  for (auto at = all->rbegin(); at != all->rend(); ++at) {
    auto obstacle = check_reach(*at, log);
    if (!obstacle) {
      auto verified = snapshots.verify(*at);
      if (verified) {
        chosen.origin = state_origin::snapshot;
        chosen.snapshot = *std::move(verified);
        return chosen;
      }
      obstacle = verified.error();
    }
    if (is_final(obstacle->code))
      return *obstacle;
    chosen.passed_over.push_back(*std::move(obstacle));
  }
  if (log.first != position{1})
    return not_recoverable(directory, log, chosen.passed_over);
  return chosen;
}

} // namespace

result<recovered_state> rebuild_state(file_system& files,
                                      const partition_directory& directory,
                                      const log_extent& log) {
  GNOMON_CHECK(static_cast<bool>(log.first));
  snapshot_store snapshots{files, directory.snapshots_directory(),
                           directory.identity().log};
  auto chosen = choose_origin(snapshots, directory, log);
  if (!chosen)
    return chosen;
  if (auto done = remove_state(files, directory); !done)
    return done.error();
  if (!chosen->snapshot)
    return chosen;
  auto restored = snapshots.restore(chosen->snapshot->position(),
                                    directory.state_directory());
  if (!restored)
    return restored.error();
  return chosen;
}

result<recovered_state> recover_state(file_system& files,
                                      const partition_directory& directory,
                                      const boot_id& boot,
                                      const log_extent& log) {
  auto found = read_stamp(files, directory.stamp_file());
  if (!found)
    return found.error();
  auto file = identify_state(files, directory);
  if (!file)
    return file.error();
  const auto reason = judge(*found, directory.identity().log, boot, *file);
  if (reason == distrust_reason::none) {
    if (auto done = stamp_kept(files, directory, **found, boot); !done)
      return done.error();
    recovered_state kept;
    kept.origin = state_origin::kept;
    return kept;
  }
  auto rebuilt = rebuild_state(files, directory, log);
  if (rebuilt)
    rebuilt->reason = reason;
  return rebuilt;
}

result<void> stamp_opened(file_system& files,
                          const partition_directory& directory,
                          const boot_id& boot) {
  stamp content;
  content.boot = boot;
  return stamp_state(files, directory, content);
}

result<void> stamp_clean(file_system& files,
                         const partition_directory& directory,
                         const boot_id& boot, position durable) {
  stamp content;
  content.boot = boot;
  content.clean = true;
  content.durable = durable;
  return stamp_state(files, directory, content);
}

} // namespace gnomon::storage
