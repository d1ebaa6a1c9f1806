#include "storage/log_reader.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <utility>

namespace gnomon::storage {

log_reader::log_reader(file_system& files, path directory, log_id id,
                       position from)
  : files_(files), directory_(std::move(directory)), id_(id),
    from_(std::max(from, position{1})) {
  // nop
}

result<std::unique_ptr<log_reader>>
log_reader::open(file_system& files, path directory, log_id id, position from) {
  std::unique_ptr<log_reader> opened{
    new log_reader{files, std::move(directory), id, from}};
  const auto segments = list_segments(files, opened->directory_);
  if (!segments)
    return segments.error();
  const auto behind
    = std::upper_bound(segments->begin(), segments->end(), opened->from_);
  if (behind == segments->begin())
    return {errc::not_found, opened->directory_.string() + ": position "
                               + std::to_string(opened->from_.value)
                               + " lies before the first segment"};
  if (const auto outcome = opened->enter_segment(*std::prev(behind)); !outcome)
    return outcome.error();
  return opened;
}

result<std::optional<frame_view>> log_reader::next(position up_to) {
  for (;;) {
    auto frame = cursor_->next(up_to);
    if (!frame)
      return frame.error();
    last_ = cursor_->last();
    durable_ = std::max(durable_, cursor_->durable());
    if (*frame) {
      if ((*frame)->header.last() >= from_)
        return frame;
      continue;
    }
    if (cursor_->is_held_back() || last_ >= up_to)
      return frame;
    const auto entered = enter_next_segment();
    if (!entered)
      return entered.error();
    if (*entered)
      continue;
    const auto again = has_come_meanwhile(up_to);
    if (!again)
      return again.error();
    if (!*again)
      return frame;
  }
}

result<void> log_reader::enter_segment(position first) {
  const auto name = directory_ / segment_name(first);
  auto source = files_.open(name, open_mode::read_only);
  if (!source)
    return source.error();
  const auto head = (*source)->read(0, segment_header_bytes);
  if (!head)
    return head.error();
  const auto header = decode_segment_header(*head);
  if (!header || header->first != first)
    return {errc::corrupted, name.string() + ", offset 0, position "
                               + std::to_string(first.value)
                               + ": the header of the segment is damaged"};
  if (header->version > log_format_version)
    return {errc::format_too_new,
            name.string() + ": version " + std::to_string(header->version)};
  if (header->id != id_)
    return {errc::wrong_identity, name.string() + ": belongs to another log"};
  if (cursor_ && header->previous != cursor_->chain())
    return {errc::corrupted,
            name.string() + ": does not follow the segment before"};
  cursor_ = std::make_unique<segment_cursor>(name, *std::move(source), *header);
  last_ = cursor_->last();
  durable_ = std::max(durable_, cursor_->durable());
  return {};
}

result<bool> log_reader::enter_next_segment() {
  const auto first = last_.next();
  if (cursor_->header().first == first)
    return false;
  const auto found = files_.exists(directory_ / segment_name(first));
  if (!found)
    return found.error();
  if (!*found)
    return false;
  if (const auto outcome = enter_segment(first); !outcome)
    return outcome.error();
  return true;
}

result<bool> log_reader::has_come_meanwhile(position up_to) {
  const error damaged{errc::corrupted, cursor_->place()
                                         + ": expected a frame, but it is not "
                                           "there or damaged"};
  if (up_to != read_all_written)
    return damaged;
  const auto segments = list_segments(files_, directory_);
  if (!segments)
    return segments.error();
  if (segments->empty() || segments->back() <= last_.next())
    return false;
  // A later segment: since we looked, the writer has filled this one and begun
  // others. Then the next frame, or the segment with it, is there by now.
  const auto probe = cursor_->next(last_);
  if (!probe)
    return probe.error();
  if (cursor_->is_held_back())
    return true;
  // One without a frame has itself the name of the segment that is missed.
  if (cursor_->header().first == last_.next())
    return damaged;
  const auto found = files_.exists(directory_ / segment_name(last_.next()));
  if (!found)
    return found.error();
  if (!*found)
    return damaged;
  return true;
}

} // namespace gnomon::storage
