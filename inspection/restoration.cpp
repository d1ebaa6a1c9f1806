#include "storage/snapshot_store.hpp"

#include "inspection/archive_reader.hpp"
#include "inspection/backup.hpp"
#include "inspection/log_access.hpp"
#include "inspection/scratch_folder.hpp"
#include "inspection/verification.hpp"
#include <array>
#include <memory>
#include <string>
#include <system_error>

namespace gnomon::inspection {

using namespace storage;

namespace {

constexpr std::array<const char*, 4> folders_within{"log", "state", "snapshots",
                                                    "torn"};

result<void> check_target(file_system& files, const path& directory) {
  const auto there = files.exists(directory);
  if (!there)
    return there.error();
  if (!*there)
    return {};
  const auto names = files.list(directory);
  if (!names)
    return names.error();
  if (!names->empty())
    return {errc::invalid_state, "restore to " + directory.string()
                                   + ": expected an empty folder, but found "
                                   + names->front()};
  return {};
}

path parent_of(const path& directory) {
  const auto parent
    = (directory.has_filename() ? directory : directory.parent_path())
        .parent_path();
  return parent.empty() ? path{"."} : parent;
}

result<void> complete(file_system& files, const partition_folder& folder) {
  for (const auto* name : folders_within)
    if (auto done = files.create_directories(folder.location / name); !done)
      return done;
  std::error_code problem;
  const auto snapshots = std::filesystem::directory_iterator{
    folder.snapshots_directory(), problem};
  if (problem)
    return {errc::io_error, "list " + folder.snapshots_directory().string()
                              + ": " + problem.message()};
  for (const auto& snapshot : snapshots)
    if (auto done = files.sync_directory(snapshot.path()); !done)
      return done;
  for (const auto* name : folders_within)
    if (auto done = files.sync_directory(folder.location / name); !done)
      return done;
  return files.sync_directory(folder.location);
}

result<partition_backup> check(file_system& files,
                               const partition_folder& folder,
                               const path& scratch, progress& watcher) {
  const auto looked = verify_partition(files, folder, scratch, watcher);
  if (!looked)
    return looked.error();
  if (!looked->findings.empty())
    return {errc::corrupted,
            "check the backup: " + to_string(looked->findings.front().kind)
              + ": " + looked->findings.front().what};
  partition_backup found;
  found.id = folder.id;
  found.last = looked->last;
  if (!looked->snapshots.empty())
    found.snapshot = looked->snapshots.back();
  const auto outline = outline_log(files, folder);
  if (outline)
    found.segments = outline->segments.size();
  return found;
}

} // namespace

result<std::vector<partition_backup>> restore(file_system& files,
                                              const path& name,
                                              const path& directory,
                                              progress& watcher) {
  if (auto done = check_target(files, directory); !done)
    return done.error();
  // Next to the target, so that it can be renamed.
  const auto scratch = scratch_folder::create(parent_of(directory));
  if (!scratch)
    return scratch.error();
  const auto made = scratch->location() / "content";
  if (auto done = files.create_directories(made); !done)
    return done.error();
  const auto entries = extract(files, name, made, watcher);
  if (!entries)
    return entries.error();
  const auto found = find_partitions(files, made, {});
  if (!found)
    return {errc::corrupted, "read " + name.string() + ": it has no partition"};
  std::vector<std::unique_ptr<file_lock>> locks;
  std::vector<partition_backup> restored;
  for (const auto& folder : *found) {
    if (auto done = complete(files, folder); !done)
      return done.error();
    auto checked = check(files, folder, scratch->location(), watcher);
    if (!checked)
      return checked.error();
    restored.push_back(*checked);
    auto lock = files.lock(folder.lock_file());
    if (!lock)
      return lock.error();
    locks.push_back(std::move(*lock));
  }
  watcher.end();
  if (auto done = files.sync_directory(made); !done)
    return done.error();
  // Refused by the system if the target is no longer empty.
  if (auto done = files.rename(made, directory); !done)
    return done.error();
  if (auto done = files.sync_directory(parent_of(directory)); !done)
    return done.error();
  return restored;
}

} // namespace gnomon::inspection
