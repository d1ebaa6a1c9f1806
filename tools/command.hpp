// What the commands that look at partitions have in common.

#pragma once

#include "gnomon/clock.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"
#include "tools/exit_status.hpp"
#include "tools/output.hpp"

#include "inspection/partition_folder.hpp"
#include "inspection/progress.hpp"
#include "inspection/state_source.hpp"
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace gnomon::tools {

/// Which partitions, and how to print them.
struct partition_selection {
  /// The folder of all partitions, or a partition's own.
  std::string directory = {};

  /// Number of the one that is wanted; 0: all.
  std::uint16_t partition = 0;

  /// Where to make what is thrown away; empty: the system's temporary folder.
  std::string scratch = {};

  bool as_json = false;
};

/// What a command works with. Borrows all of it.
struct command_context {
  storage::file_system& files;
  const clock& time;
  std::ostream& out;
  std::ostream& errors;
  inspection::progress& watcher;

  /// Whether `out` is a terminal.
  bool on_terminal = false;
};

/// Prints `what` to the errors. @returns The exit status for it.
int fail(const command_context& context, const error& what);

/// Finds the partitions that `wanted` names. `errc::not_found` if none.
result<std::vector<inspection::partition_folder>>
select(const command_context& context, const partition_selection& wanted);

/// One partition's state while it is looked at.
struct shown_state {
  const inspection::partition_folder& folder;
  const storage::partition_identity& identity;
  const inspection::state_view& view;

  /// Time of the partition: the later one of its records and the wall clock.
  timestamp now;

  /// Why the state was made anew, and what it lacks then; empty if not.
  std::string rebuilt_because = {};
  std::string lacking = {};
};

/// Sees the state of one partition.
using state_visitor_function = std::function<result<void>(const shown_state&)>;

/// Opens the states of the partitions that `wanted` names, one after the other,
/// and shows each to `visitor`. What fails is printed, and the next one looked
/// at.
/// @returns The exit status: of the first failure, if any.
int show_states(const command_context& context,
                const partition_selection& wanted,
                const state_visitor_function& visitor);

/// Returns the line that each text about a state begins with, and further ones
/// if the state was made anew.
std::string heading(const shown_state& state);

/// Returns the members that each JSON object about a state begins with.
json heading_as_json(const shown_state& state);

} // namespace gnomon::tools
