#include "inspection/log_access.hpp"

#include "messages/record_codec.hpp"
#include "storage/segment.hpp"
#include "storage/snapshot_store.hpp"
#include "storage/stamp.hpp"

#include <algorithm>

namespace gnomon::inspection {

using namespace storage;

result<log_outline> outline_log(file_system& files,
                                const partition_folder& folder) {
  auto segments = list_segments(files, folder.log_directory());
  if (!segments)
    return segments.error();
  log_outline found;
  for (const auto first : *segments) {
    auto opened = files.open(folder.log_directory() / segment_name(first),
                             open_mode::read_only);
    // Compacted meanwhile.
    if (!opened && opened.error().code == errc::not_found)
      continue;
    if (!opened)
      return opened.error();
    auto size = (*opened)->size();
    if (!size)
      return size.error();
    found.segments.push_back(first);
    found.file_bytes += *size;
  }
  return found;
}

result<std::unique_ptr<log_reader>> read_log(file_system& files,
                                             const partition_folder& folder,
                                             log_id id, position from) {
  constexpr int attempts_max = 5;
  for (int attempt = 1;; ++attempt) {
    auto segments = list_segments(files, folder.log_directory());
    if (!segments)
      return segments.error();
    if (segments->empty())
      return {errc::not_found,
              folder.log_directory().string() + ": there is no segment"};
    auto opened = log_reader::open(files, folder.log_directory(), id,
                                   std::max(from, segments->front()));
    // The segment may have been compacted since it was listed.
    if (opened || opened.error().code != errc::not_found
        || attempt == attempts_max)
      return opened;
  }
}

result<position> known_durable(file_system& files,
                               const partition_folder& folder, log_id id) {
  position known;
  snapshot_store snapshots{files, folder.snapshots_directory(), id};
  // A damaged one proves nothing.
  if (const auto named = snapshots.durable_position())
    known = *named;
  const auto stamp = read_stamp(files, folder.stamp_file());
  if (stamp && *stamp && (*stamp)->log == id)
    known = std::max(known, (*stamp)->durable);
  const auto segments = list_segments(files, folder.log_directory());
  if (!segments)
    return segments.error();
  if (segments->empty())
    return known;
  // Rolling syncs a segment before the next one gets its name.
  known = std::max(known, position{segments->back().value - 1});
  auto reader = read_log(files, folder, id, segments->back());
  if (!reader)
    return reader.error();
  for (;;) {
    const auto frame = (*reader)->next(read_all_written);
    if (!frame)
      return frame.error();
    if (!*frame)
      return std::max(known, (*reader)->durable_named());
  }
}

result<bool> visit_records(const frame_view& frame,
                           const record_visitor& visitor) {
  auto rest = frame.body;
  const auto last = frame.header.last();
  for (auto at = frame.header.first; at <= last; at = at.next()) {
    auto met = messages::decode_record(rest, at);
    if (!met)
      return met.error();
    auto go_on = visitor(*met);
    if (!go_on || !*go_on)
      return go_on;
  }
  if (!rest.empty())
    return {errc::corrupted, "read position " + std::to_string(last.value)
                               + ": bytes behind the last record of its frame"};
  return true;
}

result<bool> has_frame_of(file_system& files, const partition_folder& folder,
                          log_id id, const state_bookkeeping& book) {
  auto segments = list_segments(files, folder.log_directory());
  if (!segments)
    return segments.error();
  if (!book.last_applied)
    return segments->empty() || segments->front() == position{1};
  auto reader
    = log_reader::open(files, folder.log_directory(), id, book.last_applied);
  if (!reader)
    return reader.error().code == errc::not_found ? result<bool>{false}
                                                  : reader.error();
  auto frame = (*reader)->next(read_all_written);
  if (!frame)
    return frame.error();
  return *frame && (*frame)->header.last() == book.last_applied
         && (*frame)->header.checksum == book.chain;
}

} // namespace gnomon::inspection
