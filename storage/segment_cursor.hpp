// Walks over the frames of one segment.

#pragma once

#include "gnomon/result.hpp"
#include "storage/frame.hpp"
#include "storage/log_options.hpp"
#include "storage/segment.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace gnomon::storage {

/// Behind every position that a log can have.
inline constexpr position position_max{
  std::numeric_limits<std::uint64_t>::max()};

/// A frame as read. Borrows its bytes from the reader.
struct frame_view {
  frame_header header;
  bytes_view body;
};

/// Reads frames of one segment in order and verifies each: checksum, log id,
/// chain, position. Does not decide what damage means.
class segment_cursor {
public:
  /// Begins behind the header.
  /// @param name  Of the segment, for the contexts of errors.
  segment_cursor(path name, std::unique_ptr<file> source,
                 const segment_header& header);

  /// Reads the frame at `offset()` and steps over it. Nothing if there is no
  /// frame that continues this log; ask again and it is read anew. A valid
  /// frame whose epoch falls or whose position repeats is `errc::two_writers`.
  /// The bytes live until the next call.
  /// @param up_to  A frame that ends behind it is held back: not stepped over.
  result<std::optional<frame_view>> next(position up_to = position_max);

  /// Returns whether the last call of `next` held a frame back.
  bool is_held_back() const {
    return held_back_;
  }

  /// Returns "segment, offset, position" of what would be read next.
  std::string place() const;

  file& source() {
    return *source_;
  }

  const segment_header& header() const {
    return header_;
  }

  /// Returns where the next frame begins.
  std::uint64_t offset() const {
    return offset_;
  }

  /// Returns the last position read; before the first frame, that of the
  /// segment before.
  position last() const {
    return last_;
  }

  chain_value chain() const {
    return chain_;
  }

  std::uint64_t epoch() const {
    return epoch_;
  }

  std::uint64_t next_key() const {
    return next_key_;
  }

  /// Returns the highest durable position that header and frames have named.
  position durable() const {
    return durable_;
  }

private:
  result<std::optional<frame_view>> read(position up_to);

  /// Returns `size` bytes at `offset_`, fewer at the end of the file.
  result<bytes_view> window(std::size_t size);

  void forget_window();

  result<bool> continues(const frame_header& header) const;

  void step_over(const frame_header& header);

  path name_;
  std::unique_ptr<file> source_;
  segment_header header_;
  bytes buffer_;
  std::uint64_t buffer_offset_ = 0;
  std::size_t read_bytes_;
  bool window_is_fresh_ = false;
  bool held_back_ = false;
  std::uint64_t offset_ = segment_header_bytes;
  position last_;
  chain_value chain_;
  std::uint64_t epoch_ = 0;
  std::uint64_t next_key_ = 1;
  position durable_;
};

} // namespace gnomon::storage
