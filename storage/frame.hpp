// Layout of frames: one batch of records as the log stores it. The bytes are
// described in docs/formats/log.md.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/position.hpp"
#include "storage/log_options.hpp"
#include "storage/ports/frame_log.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gnomon::storage {

inline constexpr std::uint16_t log_format_version = 1;
inline constexpr std::size_t frame_header_bytes = 80;
inline constexpr std::size_t frame_alignment = 8;

/// Bound of the format: a longer frame is never written nor believed.
inline constexpr std::size_t frame_bytes_limit = 512 * 1024 * 1024;

static_assert(frame_header_bytes % frame_alignment == 0);

/// Header of a frame, without magic and checksum. Plain value.
struct frame_header {
  std::uint16_t version = log_format_version;

  /// Bytes of the body, without padding.
  std::uint32_t body_bytes = 0;

  log_id id;
  std::uint64_t epoch = 0;
  position first;
  std::uint32_t record_count = 0;

  /// Highest position known to be durable when the frame was sealed.
  position durable;

  std::uint64_t next_key = 1;

  /// Chain value of the frame before this one.
  chain_value previous;

  /// Checksum of this frame.
  chain_value checksum;

  /// Returns the position of the last record.
  position last() const {
    return {first.value + record_count - 1};
  }

  friend bool operator==(const frame_header&, const frame_header&) = default;
};

/// Returns the bytes of a frame with `body_bytes` of records: header, body, and
/// padding.
std::size_t frame_size(std::size_t body_bytes);

/// Encodes a frame into `target` (replacing it) and returns its checksum.
/// `header.body_bytes` and `header.checksum` are ignored.
chain_value encode_frame(const frame_header& header, bytes_view body,
                         bytes& target);

/// Reads a header without its checksum being verified; nothing if the bytes
/// cannot begin a frame. Costs no memory whatever the length says.
/// @param source  At least `frame_header_bytes` bytes.
std::optional<frame_header> decode_frame_header(bytes_view source);

/// Returns whether `frame`, header, body and padding, has the checksum it says.
bool has_valid_checksum(bytes_view frame);

/// Returns whether the second word of a frame may look like this. Cheap, for
/// scans.
/// @param word  At least `frame_alignment` bytes.
bool is_frame_magic(bytes_view word);

} // namespace gnomon::storage
