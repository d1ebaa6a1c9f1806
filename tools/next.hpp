// `gnomon next`: when an expression is due.

#pragma once

#include "gnomon/timestamp.hpp"
#include "tools/exit_status.hpp"

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

namespace gnomon::tools {

/// What was asked for.
struct next_request {
  std::string expression = {};

  /// Zone of expressions that name none.
  std::string zone = "UTC";

  /// Where to start, as RFC 3339; empty for now.
  std::string from = {};

  /// Reads cron with five fields.
  bool cron_five_fields = false;

  std::size_t count = 10;
};

/// Prints up to `count` due dates to `out`, one a line, as UTC with
/// milliseconds; `none` where the sequence ends before that.
/// @param now  Where to start if the request does not say.
/// @returns The exit status. Faults of the expression go to `errors`, with a
///          caret under the offending byte.
int run_next(const next_request& request, timestamp now, std::ostream& out,
             std::ostream& errors);

/// Renders `when` as `2024-01-31T10:00:00.000Z`; years behind 9999 or before 0
/// have a sign.
std::string to_rfc3339(timestamp when);

} // namespace gnomon::tools
