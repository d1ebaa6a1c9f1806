// The log of a partition: segments on disk, one writer.

#pragma once

#include "storage/log_options.hpp"
#include "storage/log_tickets.hpp"
#include "storage/ports/frame_log.hpp"

#include <memory>
#include <vector>

namespace gnomon::storage {

/// Append-only sequence of frames, kept in segment files.
///
/// Written is not durable: a frame survives a crash once a sync that began
/// after its `write` has succeeded and was handed to `end_sync`. After any
/// failure but `errc::out_of_space` the log is *poisoned*: it answers
/// `errc::io_error` to everything; destroy it and open it again, which finds
/// out what is really on disk.
///
/// Threads: none of its own. One owner makes all calls; tickets may run
/// anywhere.
class log : public frame_log {
public:
  /// Opens the log in `directory`, or creates one there. What is damaged behind
  /// everything that is known to be durable is copied to the torn directory and
  /// cut off; any other damage is an error and leaves the files as they are:
  /// `corrupted`, `missing_segment`, `two_writers`, `lost_data`,
  /// `format_too_new`, `wrong_identity`. Afterwards all of it is durable. The
  /// caller holds the lock of the partition. A crash in the middle is repaired
  /// by opening again.
  /// @param files      Borrowed; must outlive the log and its tickets.
  /// @param directory  Created if need be; used by no other log.
  static result<std::unique_ptr<log>> open(file_system& files, path directory,
                                           log_options options,
                                           open_hints hints = {});

  // -- writing ----------------------------------------------------------------

  /// Sets the epoch of later frames.
  /// @pre `epoch >= last_epoch()`.
  void begin_epoch(std::uint64_t epoch);

  /// Returns `errc::exceeded_batch_size` if the frame outgrows
  /// `frame_bytes_max`; that poisons nothing.
  result<chain_value> seal(const frame_body& body) override;

  /// Writes in one piece at the end of the active segment, whatever its size.
  /// If only a part arrived because the device is full, that part is cut off
  /// again and synced.
  /// @pre A frame is sealed, and no roll is under way.
  result<void> write() override;

  // -- syncing ----------------------------------------------------------------

  /// Begins a sync of all that is written. Several may be under way.
  sync_ticket begin_sync() const;

  /// Moves the durable position forward, or poisons the log.
  /// @returns The outcome of the sync, or `io_error` if the log is poisoned.
  result<void> end_sync(const sync_ticket& ticket, const result<void>& outcome);

  /// Syncs in this thread.
  result<void> sync();

  // -- segments ---------------------------------------------------------------

  /// Returns whether a frame of `frame_bytes` should go into a new segment: it
  /// does not fit behind the frames that are in the active one.
  bool must_roll(std::size_t frame_bytes) const;

  /// Returns whether the next roll would be shorter with a spare segment: the
  /// active one is half full, and none is there or being made.
  bool wants_spare() const;

  /// Begins to make a spare segment. Writing and syncing go on; a roll must
  /// wait for the end.
  spare_ticket begin_spare();

  /// Takes the spare segment. A failure harms nothing: the roll then does all
  /// of the work itself, and there is no other attempt before it.
  void end_spare(spare_ticket& ticket, const result<void>& outcome);

  /// Returns whether a spare segment is being made.
  bool is_making_spare() const {
    return making_spare_;
  }

  /// Begins a roll. `write` must not be called until it has ended.
  /// @pre No spare segment is being made.
  roll_ticket begin_roll();

  /// Writes to the new segment from now on. After `errc::out_of_space` the old
  /// one stays active and the roll may be tried again; other failures poison.
  result<void> end_roll(roll_ticket& ticket, const result<void>& outcome);

  /// Rolls in this thread.
  result<void> roll();

  /// Deletes the segments that only have records before `below`, the oldest
  /// first, never the active one. Each deletion is durable before the next, so
  /// a crash leaves no gap.
  /// @returns How many were deleted.
  result<std::size_t> compact(position below);

  // -- queries ----------------------------------------------------------------

  position last_position() const override {
    return last_;
  }

  /// Returns the last position whose sync has succeeded.
  position durable_position() const {
    return durable_;
  }

  /// Returns the first position the log still has or will have.
  position first_position() const {
    return segments_.front();
  }

  /// Returns the chain value of the last frame written.
  chain_value chain() const {
    return chain_;
  }

  /// Returns the key counter that the last frame named.
  std::uint64_t next_key() const {
    return next_key_;
  }

  /// Returns the epoch set last or, after opening, found last.
  std::uint64_t last_epoch() const {
    return epoch_;
  }

  bool is_poisoned() const {
    return poisoned_;
  }

  /// Returns the first positions of the segments, ascending.
  const std::vector<position>& segments() const {
    return segments_;
  }

  /// Returns the bytes of all frames written since the log was opened.
  std::uint64_t bytes_written() const {
    return bytes_written_;
  }

  const path& directory() const {
    return directory_;
  }

  const opening_report& report() const {
    return report_;
  }

private:
  log(file_system& files, path directory, log_options options);

  result<void> poison(const gnomon::error& cause);

  result<void> undo_partial_write(const gnomon::error& cause);

  file_system& files_;
  path directory_;
  log_options options_;
  opening_report report_;
  std::shared_ptr<segment_file> active_;
  std::vector<position> segments_;
  std::uint64_t offset_ = 0;
  std::uint64_t bytes_written_ = 0;
  position last_;
  position durable_;
  chain_value chain_;
  std::uint64_t next_key_ = 1;
  std::uint64_t epoch_ = 0;
  bytes sealed_;
  frame_header sealed_header_;
  bool poisoned_ = false;
  bool rolling_ = false;
  bool making_spare_ = false;
  bool tried_spare_ = false;
  std::unique_ptr<file> spare_;
};

} // namespace gnomon::storage
