#include "inspection/backup.hpp"

#include "gnomon/check.hpp"
#include "storage/partition_directory.hpp"
#include "storage/segment.hpp"
#include "storage/segment_cursor.hpp"
#include "storage/snapshot_store.hpp"

#include "inspection/archive_writer.hpp"
#include "inspection/log_access.hpp"
#include "inspection/state_source.hpp"
#include <algorithm>
#include <memory>
#include <string>

namespace gnomon::inspection {

using namespace storage;

namespace {

/// A file that is open, so that compaction cannot take it away any more.
struct opened_file {
  std::string name;
  std::unique_ptr<file> content;
  std::uint64_t bytes = 0;
};

/// Everything of a partition that goes into the backup.
struct opened_partition {
  partition_backup summary;
  std::vector<opened_file> small;
  std::vector<opened_file> snapshot;
  snapshot_manifest manifest;
  std::vector<std::string> segment_names;
  std::vector<segment_cursor> segments;
};

class opening {
public:
  opening(file_system& files, const partition_folder& folder)
    : files_(files), folder_(folder) {
    // nop
  }

  result<opened_partition> run() {
    auto identity = identify(files_, folder_);
    if (!identity)
      return identity.error();
    id_ = identity->log;
    opened_.summary.id = folder_.id;
    auto base = choose_base(files_, folder_, id_, position_max);
    if (!base)
      return base.error();
    opened_.summary.snapshot = *base;
    for (const auto step : {&opening::open_identity, &opening::open_snapshot,
                            &opening::open_segments, &opening::find_ends})
      if (const auto done = (this->*step)(); !done)
        return done.error();
    return std::move(opened_);
  }

private:
  std::string in_archive(const std::string& name) const {
    return directory_name(folder_.id) + "/" + name;
  }

  result<opened_file> open(const std::string& name) {
    auto content = files_.open(folder_.location / name, open_mode::read_only);
    if (!content)
      return content.error();
    auto size = (*content)->size();
    if (!size)
      return size.error();
    return opened_file{in_archive(name), std::move(*content), *size};
  }

  result<void> open_identity() {
    auto opened = open("IDENTITY");
    if (!opened)
      return opened.error();
    opened_.small.push_back(std::move(*opened));
    return {};
  }

  result<void> open_snapshot() {
    if (!opened_.summary.snapshot)
      return {};
    snapshot_store snapshots{files_, folder_.snapshots_directory(), id_};
    const auto at = opened_.summary.snapshot;
    const auto folder
      = "snapshots/" + snapshots.location(at).filename().string() + "/";
    for (const auto* name : {"manifest", state_file_name}) {
      auto opened = open(folder + name);
      if (!opened)
        return opened.error();
      opened_.snapshot.push_back(std::move(*opened));
    }
    auto manifest = snapshots.manifest(at);
    if (!manifest)
      return manifest.error();
    opened_.manifest = std::move(*manifest);
    return {};
  }

  /// Replay reads from the command behind the last one processed on; the frame
  /// that the snapshot ends with should be there, too.
  position needed() const {
    const auto& book = opened_.manifest.bookkeeping;
    return std::max(position{1},
                    std::min(book.last_applied, book.last_processed.next()));
  }

  result<void> open_segments() {
    auto all = list_segments(files_, folder_.log_directory());
    if (!all)
      return all.error();
    const auto behind = std::ranges::upper_bound(*all, needed());
    const auto first = behind == all->begin() ? behind : std::prev(behind);
    for (auto at = first; at != all->end(); ++at)
      if (auto done = open_segment(*at); !done)
        return done;
    opened_.summary.segments = opened_.segments.size();
    return {};
  }

  result<void> open_segment(position first) {
    const auto name = folder_.log_directory() / segment_name(first);
    auto content = files_.open(name, open_mode::read_only);
    if (!content)
      return content.error();
    const auto head = (*content)->read(0, segment_header_bytes);
    if (!head)
      return head.error();
    const auto header = decode_segment_header(*head);
    if (!header || header->first != first || header->id != id_)
      return {errc::corrupted,
              name.string() + ": the header of the segment is damaged"};
    opened_.segment_names.push_back(in_archive("log/" + segment_name(first)));
    opened_.segments.emplace_back(name, std::move(*content), *header);
    return {};
  }

  /// Walks over the frames of all segments, so that each is copied up to its
  /// last whole frame, and those before the last one are known to be whole.
  result<void> find_ends() {
    const segment_cursor* before = nullptr;
    for (auto& segment : opened_.segments) {
      if (before
          && (segment.last() != before->last()
              || segment.chain() != before->chain()))
        return {errc::corrupted,
                before->place() + ": damaged frame, or a segment is missing"};
      for (;;) {
        const auto frame = segment.next();
        if (!frame)
          return frame.error();
        if (!*frame)
          break;
      }
      before = &segment;
    }
    opened_.summary.last = before ? before->last() : position{};
    if (opened_.summary.last < opened_.summary.snapshot)
      return {errc::lost_data,
              folder_.location.string() + ": the log ends before snapshot "
                + std::to_string(opened_.summary.snapshot.value)};
    return {};
  }

  file_system& files_;
  const partition_folder& folder_;
  log_id id_;
  opened_partition opened_;
};

/// Opens all files of a partition; again if they changed under us.
result<opened_partition> open_all(file_system& files,
                                  const partition_folder& folder) {
  constexpr int attempts_max = 5;
  for (int attempt = 1;; ++attempt) {
    auto opened = opening{files, folder}.run();
    if (opened || attempt == attempts_max)
      return opened;
  }
}

result<void> add_all(archive_writer& to, opened_partition& from,
                     progress& watcher) {
  for (auto& part : from.small)
    if (auto done = to.add(part.name, *part.content, part.bytes, watcher);
        !done)
      return done.error();
  for (auto& part : from.snapshot) {
    const auto sum = to.add(part.name, *part.content, part.bytes, watcher);
    if (!sum)
      return sum.error();
    const auto is_state = part.name.ends_with(state_file_name);
    if (is_state
        && (sum->size != from.manifest.file_bytes
            || sum->hash != from.manifest.file_hash))
      return {errc::corrupted,
              part.name + ": checksum of the state does not match"};
  }
  for (std::size_t index = 0; index < from.segments.size(); ++index) {
    auto& segment = from.segments[index];
    if (auto done = to.add(from.segment_names[index], segment.source(),
                           segment.offset(), watcher);
        !done)
      return done.error();
  }
  return {};
}

result<void> add_format(archive_writer& to, file_system& files,
                        const path& root) {
  auto content = files.open(root / "FORMAT", open_mode::read_only);
  if (!content)
    return content.error();
  constexpr std::size_t bytes_max = 1 << 10;
  const auto all = (*content)->read(0, bytes_max);
  if (!all)
    return all.error();
  if (auto done = to.add("FORMAT", *all); !done)
    return done.error();
  return {};
}

} // namespace

result<std::vector<partition_backup>>
back_up(file_system& files, const std::vector<partition_folder>& folders,
        const path& name, progress& watcher) {
  GNOMON_CHECK(!folders.empty());
  auto archive = archive_writer::create(files, name);
  if (!archive)
    return archive.error();
  if (auto done = add_format(**archive, files, folders.front().root()); !done)
    return done.error();
  std::vector<partition_backup> copied;
  for (const auto& folder : folders) {
    watcher.report("look for a snapshot", 0, 1);
    auto opened = open_all(files, folder);
    if (!opened)
      return opened.error();
    if (auto done = add_all(**archive, *opened, watcher); !done)
      return done.error();
    copied.push_back(opened->summary);
  }
  watcher.end();
  if (auto done = (*archive)->publish(); !done)
    return done.error();
  return copied;
}

} // namespace gnomon::inspection
