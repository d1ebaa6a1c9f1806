// The schedule file of the reminders example.

#pragma once

#include <cstddef>
#include <gnomon/commands.hpp>
#include <iosfwd>
#include <string>
#include <vector>

namespace reminders {

/// One good line of the file.
struct entry {
  std::size_t line = 0;
  std::string when;
  std::string target;
  std::string payload;
};

/// One bad line of the file. Line and column count from 1.
struct fault {
  std::size_t line = 0;
  std::size_t column = 0;
  std::string reason;
};

struct schedule {
  std::vector<entry> entries;
  std::vector<fault> faults;
};

/// Reads `when | target | payload` lines; blank lines and those that begin with
/// `#` are passed over, and bad lines are reported.
/// @param now  What delays count from, for checking only.
schedule read_schedule(std::istream& from, gnomon::timestamp now);

/// Returns the name of the timer of `what`, "line-N"; its idempotency key, too.
std::string name_of(const entry& what);

/// Returns the command that creates the timer of `what`. Its idempotency key is
/// the number of the line, so a second start repeats commands, not timers.
gnomon::create_timer to_command(const entry& what);

} // namespace reminders
