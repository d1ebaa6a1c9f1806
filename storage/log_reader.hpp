// Reads the frames of a log while it may be written.

#pragma once

#include "storage/frame.hpp"
#include "storage/log_options.hpp"
#include "storage/segment_cursor.hpp"

#include <memory>
#include <optional>

namespace gnomon::storage {

/// Names no bound: read whatever has been written, durable or not.
inline constexpr position read_all_written = position_max;

/// Iterates over the frames of a log. Opens the files read-only by itself, so
/// it works beside the writer, in another thread or process, and on a log that
/// nobody has open.
///
/// Threads: used by one at a time.
class log_reader {
public:
  /// Opens the log at the frame that holds `from`. `errc::not_found` if `from`
  /// lies before the first segment.
  /// @param files  Borrowed; must outlive the reader.
  static result<std::unique_ptr<log_reader>>
  open(file_system& files, path directory, log_id id, position from);

  /// Returns the next frame, or nothing if there is none up to `up_to` for now;
  /// call again later. The bytes live until the next call.
  ///
  /// With a bound (pass the durable position), what lies at or before it must
  /// be there: `corrupted` or `missing_segment` if it is not. With
  /// `read_all_written`, the first frame that is not valid is the end, unless a
  /// later segment proves that more was there.
  result<std::optional<frame_view>> next(position up_to);

  /// Returns the last position that was read.
  position last_position() const {
    return last_;
  }

  /// Returns the highest durable position that frames and segments read so far
  /// have named. Readers in other processes may stop there.
  position durable_named() const {
    return durable_;
  }

private:
  log_reader(file_system& files, path directory, log_id id, position from);

  result<void> enter_segment(position first);

  /// Returns whether there was a segment to enter.
  result<bool> enter_next_segment();

  /// Called when no frame was found: returns whether to look again; an error
  /// if there should have been one.
  result<bool> has_come_meanwhile(position up_to);

  file_system& files_;
  path directory_;
  log_id id_;
  position from_;
  std::unique_ptr<segment_cursor> cursor_;
  position last_;
  position durable_;
};

} // namespace gnomon::storage
