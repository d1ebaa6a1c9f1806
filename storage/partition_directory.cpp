#include "storage/partition_directory.hpp"

#include "gnomon/check.hpp"
#include "storage/checked_file.hpp"

#include <array>
#include <utility>

namespace gnomon::storage {

namespace {

constexpr checked_file_format directory_format{"GNMFORMT", 1};

constexpr std::array<const char*, 4> folders{"log", "state", "snapshots",
                                             "torn"};

// Partitions share FORMAT and may create it at the same time: each has a
// temporary file of its own, and all of them write the same bytes.
result<void> complete_format(file_system& files, const path& root,
                             const std::string& name) {
  auto checked = check_directory_format(files, root);
  if (checked || checked.error().code != errc::not_found)
    return checked;
  return write_checked(files, root / "FORMAT",
                       root / ("FORMAT." + name + ".tmp"), directory_format,
                       {});
}

result<void> sync_if_exists(file_system& files, const path& directory) {
  if (directory.empty())
    return {};
  auto there = files.exists(directory);
  if (!there)
    return there.error();
  return *there ? files.sync_directory(directory) : result<void>{};
}

// Makes the way from the parent of `root` to `location` durable.
result<void> sync_way(file_system& files, const path& root,
                      const path& location) {
  if (auto done = sync_if_exists(files, root.parent_path()); !done)
    return done;
  if (auto done = files.sync_directory(root); !done)
    return done;
  return files.sync_directory(location);
}

result<void> create_folders(file_system& files, const path& location) {
  for (const auto* folder : folders)
    if (auto done = files.create_directories(location / folder); !done)
      return done;
  return {};
}

// A log without an identity is not a new partition: something was lost.
result<void> check_is_new(file_system& files, const path& location) {
  const auto log = location / "log";
  auto there = files.exists(log);
  if (!there)
    return there.error();
  if (!*there)
    return {};
  auto names = files.list(log);
  if (!names)
    return names.error();
  if (!names->empty())
    return {errc::corrupted, "open " + location.string()
                               + ": IDENTITY is missing, but the log "
                               + "is not empty (" + names->front() + ")"};
  return {};
}

result<partition_identity>
create_identity(file_system& files, const path& root, const path& location,
                const partition_directory_options& options) {
  if (auto done = check_is_new(files, location); !done)
    return done.error();
  if (auto done = create_folders(files, location); !done)
    return done.error();
  if (auto done = sync_way(files, root, location); !done)
    return done.error();
  auto drawn = options.draw_log_id();
  if (!drawn)
    return drawn.error();
  // Last of all: a directory with an identity is complete.
  const partition_identity created{options.partition, options.partition_count,
                                   *drawn};
  if (auto done = write_identity(files, location / "IDENTITY", created); !done)
    return done.error();
  return created;
}

result<partition_identity>
check_identity(const partition_identity& found, const path& location,
               const partition_directory_options& options) {
  if (found.partition != options.partition)
    return {errc::wrong_identity,
            "open " + location.string() + ": expected partition "
              + std::to_string(options.partition.value) + ", but found "
              + std::to_string(found.partition.value)};
  if (found.partition_count != options.partition_count)
    return {errc::wrong_identity, "open " + location.string()
                                    + ": expected one of "
                                    + std::to_string(options.partition_count)
                                    + " partitions, but found one of "
                                    + std::to_string(found.partition_count)};
  return found;
}

result<partition_identity>
open_identity(file_system& files, const path& root, const path& location,
              const partition_directory_options& options) {
  auto found = read_identity(files, location / "IDENTITY");
  if (found)
    return check_identity(*found, location, options);
  if (found.error().code != errc::not_found)
    return found;
  return create_identity(files, root, location, options);
}

bool is_temporary(const std::string& name) {
  return name.ends_with(".tmp");
}

result<void> remove_temporaries(file_system& files, const path& directory) {
  auto there = files.exists(directory);
  if (!there)
    return there.error();
  if (!*there)
    return {};
  auto names = files.list(directory);
  if (!names)
    return names.error();
  for (const auto& name : *names)
    if (is_temporary(name))
      if (auto done = files.remove_all(directory / name); !done)
        return done;
  return {};
}

result<void> remove_all_temporaries(file_system& files, const path& location) {
  if (auto done = remove_temporaries(files, location); !done)
    return done;
  for (const auto* folder : folders)
    if (auto done = remove_temporaries(files, location / folder); !done)
      return done;
  return {};
}

// A partition that is not there yet has no lock: look at the format first, so
// that nothing is created in a directory of a later version.
result<void> prepare(file_system& files, const path& root,
                     const path& location) {
  auto there = files.exists(location);
  if (!there)
    return there.error();
  if (*there)
    return {};
  auto checked = check_directory_format(files, root);
  if (!checked && checked.error().code != errc::not_found)
    return checked;
  return files.create_directories(location);
}

} // namespace

std::string directory_name(partition_id partition) {
  GNOMON_CHECK(partition.valid());
  const auto digits = std::to_string(partition.value);
  return "partition-" + std::string(5 - digits.size(), '0') + digits;
}

result<void> check_directory_format(file_system& files, const path& root) {
  auto body = read_checked(files, root / "FORMAT", directory_format);
  if (!body)
    return body.error();
  return {};
}

partition_directory::partition_directory(path location,
                                         partition_identity identity,
                                         std::unique_ptr<file_lock> lock)
  : location_(std::move(location)), identity_(identity),
    lock_(std::move(lock)) {
  // nop
}

result<partition_directory>
partition_directory::open(file_system& files, const path& root,
                          partition_directory_options options) {
  GNOMON_CHECK(options.partition.valid());
  GNOMON_CHECK(options.partition.value <= options.partition_count);
  const auto name = directory_name(options.partition);
  const auto location = root / name;
  if (auto done = prepare(files, root, location); !done)
    return done.error();
  auto lock = files.lock(location / "LOCK");
  if (!lock)
    return lock.error();
  if (auto done = complete_format(files, root, name); !done)
    return done.error();
  auto identity = open_identity(files, root, location, options);
  if (!identity)
    return identity.error();
  if (auto done = remove_all_temporaries(files, location); !done)
    return done.error();
  return partition_directory{location, *identity, std::move(*lock)};
}

} // namespace gnomon::storage
