#include "storage/segment_scan.hpp"

#include "gnomon/check.hpp"
#include "storage/frame.hpp"

#include <algorithm>
#include <cstring>

namespace gnomon::storage {

namespace {

constexpr std::size_t piece_bytes = 1024 * 1024;

static_assert(piece_bytes % frame_alignment == 0);
static_assert(frame_alignment == sizeof(std::uint64_t));

/// Returns how many bytes there are up to the last one that is not zero.
std::size_t used_part(bytes_view source) {
  const auto last = source.find_last_not_of('\0');
  return last == bytes_view::npos ? 0 : last + 1;
}

class remainder_scan {
public:
  remainder_scan(file& source, std::uint64_t begin, log_id id, position last)
    : source_(source), begin_(begin), next_(begin), id_(id), last_(last) {
    // nop
  }

  result<segment_remainder> run() {
    auto piece_begin = begin_;
    for (;;) {
      const auto piece = source_.read(piece_begin, piece_bytes);
      if (!piece)
        return piece.error();
      const auto used = used_part(*piece);
      if (used > 0)
        found_.used_bytes = piece_begin + used - begin_;
      const auto outcome
        = search(piece_begin, bytes_view{*piece}.substr(0, used));
      if (!outcome)
        return outcome.error();
      if (piece->size() < piece_bytes)
        return found_;
      piece_begin += piece_bytes;
    }
  }

private:
  /// Finds words that begin like the second word of a frame.
  result<void> search(std::uint64_t piece_begin, bytes_view piece) {
    for (std::size_t at = 0; at + frame_alignment <= piece.size();
         at += frame_alignment) {
      const auto second = piece_begin + at;
      if (second < next_ + frame_alignment
          || !is_frame_magic(piece.substr(at, frame_alignment)))
        continue;
      const auto outcome = examine(second - frame_alignment);
      if (!outcome)
        return outcome;
    }
    return {};
  }

  result<void> examine(std::uint64_t offset) {
    const auto head = source_.read(offset, frame_header_bytes);
    if (!head)
      return head.error();
    if (head->size() < frame_header_bytes)
      return {};
    const auto header = decode_frame_header(*head);
    if (!header || header->id != id_ || header->first <= last_)
      return {};
    const auto size = frame_size(header->body_bytes);
    const auto frame = source_.read(offset, size);
    if (!frame)
      return frame.error();
    if (frame->size() < size || !has_valid_checksum(*frame))
      return {};
    found_.durable = std::max(found_.durable, header->durable);
    next_ = offset + size;
    return {};
  }

  file& source_;
  std::uint64_t begin_;
  /// Frames before it have been examined.
  std::uint64_t next_;
  log_id id_;
  position last_;
  segment_remainder found_;
};

} // namespace

result<segment_remainder> scan_remainder(file& source, std::uint64_t begin,
                                         log_id id, position last) {
  GNOMON_CHECK(begin % frame_alignment == 0);
  return remainder_scan{source, begin, id, last}.run();
}

} // namespace gnomon::storage
