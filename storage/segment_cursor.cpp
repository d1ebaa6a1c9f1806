#include "storage/segment_cursor.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <utility>

namespace gnomon::storage {

namespace {

// Reading begins with little and doubles, so that following the end of a log
// is as cheap as reading all of it.
constexpr std::size_t read_bytes_min = 64 * 1024;
constexpr std::size_t read_bytes_max = 1024 * 1024;

/// Keeps positions far from where adding a count could wrap around.
constexpr std::uint64_t position_limit = std::uint64_t{1} << 62;

} // namespace

segment_cursor::segment_cursor(path name, std::unique_ptr<file> source,
                               const segment_header& header)
  : name_(std::move(name)), source_(std::move(source)), header_(header),
    read_bytes_(read_bytes_min), last_{header.first.value - 1},
    chain_(header.previous), epoch_(header.epoch), next_key_(header.next_key),
    durable_(header.durable) {
  GNOMON_CHECK(source_ != nullptr);
  GNOMON_CHECK(header.first.value > 0);
}

std::string segment_cursor::place() const {
  return name_.string() + ", offset " + std::to_string(offset_) + ", position "
         + std::to_string(last_.next().value);
}

result<std::optional<frame_view>> segment_cursor::next(position up_to) {
  window_is_fresh_ = false;
  held_back_ = false;
  auto found = read(up_to);
  if (!found || *found || held_back_)
    return found;
  // The writer may have written since the window was read.
  const auto was_stale = !window_is_fresh_;
  forget_window();
  if (!was_stale)
    return found;
  found = read(up_to);
  if (found && !*found && !held_back_)
    forget_window();
  return found;
}

result<std::optional<frame_view>> segment_cursor::read(position up_to) {
  const auto head = window(frame_header_bytes);
  if (!head)
    return head.error();
  if (head->size() < frame_header_bytes)
    return std::optional<frame_view>{};
  const auto header = decode_frame_header(*head);
  if (!header || header->id != header_.id)
    return std::optional<frame_view>{};
  const auto size = frame_size(header->body_bytes);
  const auto frame = window(size);
  if (!frame)
    return frame.error();
  if (frame->size() < size || !has_valid_checksum(*frame))
    return std::optional<frame_view>{};
  const auto fits = continues(*header);
  if (!fits)
    return fits.error();
  if (!*fits)
    return std::optional<frame_view>{};
  held_back_ = header->last() > up_to;
  if (held_back_)
    return std::optional<frame_view>{};
  step_over(*header);
  return std::optional{
    frame_view{*header, frame->substr(frame_header_bytes, header->body_bytes)}};
}

result<bytes_view> segment_cursor::window(std::size_t size) {
  const auto is_inside = offset_ >= buffer_offset_
                         && offset_ + size <= buffer_offset_ + buffer_.size();
  if (!is_inside) {
    auto content = source_->read(offset_, std::max(size, read_bytes_));
    if (!content)
      return content.error();
    buffer_ = *std::move(content);
    buffer_offset_ = offset_;
    window_is_fresh_ = true;
    read_bytes_ = std::min(read_bytes_ * 2, read_bytes_max);
  }
  return bytes_view{buffer_}.substr(offset_ - buffer_offset_, size);
}

void segment_cursor::forget_window() {
  buffer_.clear();
  read_bytes_ = read_bytes_min;
}

result<bool> segment_cursor::continues(const frame_header& header) const {
  if (header.version > log_format_version)
    return {errc::format_too_new,
            place() + ": frame of version " + std::to_string(header.version)};
  if (header.record_count == 0 || header.first.value >= position_limit)
    return false;
  if (header.first <= last_)
    return {errc::two_writers, place() + ": position "
                                 + std::to_string(header.first.value)
                                 + " repeats"};
  if (header.epoch < epoch_)
    return {errc::two_writers, place() + ": epoch "
                                 + std::to_string(header.epoch)
                                 + " behind epoch " + std::to_string(epoch_)};
  return header.first == last_.next() && header.previous == chain_;
}

void segment_cursor::step_over(const frame_header& header) {
  GNOMON_CHECK(header.first == last_.next());
  offset_ += frame_size(header.body_bytes);
  last_ = header.last();
  chain_ = header.checksum;
  epoch_ = header.epoch;
  next_key_ = header.next_key;
  durable_ = std::max(durable_, header.durable);
}

} // namespace gnomon::storage
