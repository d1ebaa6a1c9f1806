// Port of the engine to the log: frames go in, whole or not at all.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/position.hpp"
#include "gnomon/result.hpp"

#include <compare>
#include <cstdint>

namespace gnomon::storage {

/// Checksum of a frame; the next frame names it. Zero before the first frame.
struct chain_value {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(chain_value, chain_value) = default;
};

/// What a frame holds. Borrows its bytes.
struct frame_body {
  position first;
  std::uint32_t record_count = 0;

  /// Counter of the next key to be drawn.
  std::uint64_t next_key = 1;

  /// Records, each encoded by the codec of `messages`.
  bytes_view records;
};

/// Port. Appends frames.
///
/// A frame is first sealed (its chain value goes into the state transaction),
/// then written. Written is not durable.
class frame_log {
public:
  virtual ~frame_log() = default;

  /// Returns the position of the last record written.
  virtual position last_position() const = 0;

  /// Builds the frame for `body` in memory. Copies the bytes. Replaces a frame
  /// sealed before but not written.
  /// @pre `body.first == last_position().next()`.
  virtual result<chain_value> seal(const frame_body& body) = 0;

  /// Writes the sealed frame. `errc::out_of_space`: nothing was written, and
  /// the caller may try again; every other error poisons the log.
  virtual result<void> write() = 0;
};

} // namespace gnomon::storage
