// Why an operation failed. A code is chosen by what the caller should do next.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gnomon {

/// Codes of errors. Zero is "no error" and never travels in an `error`.
/// Numbers are never reused: they cross the wire.
enum class errc : std::uint8_t {
  none = 0,

  // -- the caller should change the request ----------------------------------

  /// Malformed input; the context says what, where, and what was expected.
  invalid_argument = 1,
  /// No such thing, e.g., a key or a directory.
  not_found = 2,
  /// The thing is there already.
  already_exists = 3,
  /// The request does not fit the state of the thing.
  invalid_state = 4,
  /// Records of one command outgrow `batch_bytes_max`.
  exceeded_batch_size = 5,

  // -- the caller should try again later -------------------------------------

  /// Too many commands in flight; nothing was logged.
  resource_exhausted = 10,
  /// The partition is starting, paused for recovery, or closing.
  unavailable = 11,
  /// No answer within the time the caller allowed; the outcome is unknown.
  timed_out = 12,
  /// No space left on the device; nothing was written.
  out_of_space = 13,
  /// Another partition object, here or in another process, has the directory.
  in_use = 14,
  /// The wall clock jumped further than `clock_jump_max`; triggering is held.
  clock_suspect = 15,

  // -- an operator is needed --------------------------------------------------

  /// Read, write or sync failed; the outcome of what was in flight is unknown.
  io_error = 20,
  /// Bytes on disk do not match their checksum at or below the durable mark.
  corrupted = 21,
  /// The log ends before a position that is known to have been durable.
  lost_data = 22,
  /// A segment is missing or does not follow its predecessor.
  missing_segment = 23,
  /// Epochs or positions show that two writers have had the log.
  two_writers = 24,
  /// Written by a newer version; nothing was touched.
  format_too_new = 25,
  /// Belongs to another partition or log.
  wrong_identity = 26,
  /// State is gone and neither a snapshot nor the whole log is there.
  not_recoverable = 27,

  // -- a developer is needed --------------------------------------------------

  /// An exception or a broken invariant in a processor.
  processing_failed = 30,
};

/// Returns the name of the enumerator, e.g., "io_error".
std::string to_string(errc code);

/// Parses what `to_string` returns. @returns False if there is no such code.
bool from_string(std::string_view text, errc& code);

/// Converts the number of a code. @returns False if there is no such code.
bool from_integer(std::uint8_t number, errc& code);

} // namespace gnomon
