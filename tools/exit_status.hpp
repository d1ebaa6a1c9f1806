// Exit statuses of the tool: what a script goes by.

#pragma once

#include "gnomon/errc.hpp"

#include "inspection/verification.hpp"

namespace gnomon::tools {

inline constexpr int exit_success = 0;

/// Something could not be read or written.
inline constexpr int exit_failure = 1;

/// The command line, or what it names, cannot be meant.
inline constexpr int exit_bad_input = 2;

/// Somebody has the partition.
inline constexpr int exit_in_use = 3;

/// Returns the exit status for `kind`, 10 and up.
int exit_status(inspection::damage kind);

/// Returns the exit status for an error of a command.
int exit_status(errc code);

/// Text for `--help`.
inline constexpr auto exit_status_help
  = R"(Exit status: 0 all is well, 1 it could not be looked at, 2 bad input,
and for damage, that of the first kind found:
  10  identity         FORMAT, IDENTITY or a segment is damaged or another's
  11  format_too_new   written by a newer version
  12  log_corrupted    bytes of the log do not match their checksum
  13  missing_segment  the log has a gap
  14  lost_data        the log ends before a position that was durable
  15  two_writers      two have written the log
  16  record           a frame is whole, but cannot be decoded or applied
  17  snapshot         a snapshot is damaged or differs from replay
  18  state_differs    the state is not what replaying the log makes
  19  not_recoverable  neither the whole log nor a good snapshot is there)";

} // namespace gnomon::tools
