// Looks at everything a partition has on disk, and says what is damaged.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"

#include "inspection/partition_folder.hpp"
#include "inspection/progress.hpp"
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace gnomon::inspection {

/// Kinds of damage.
enum class damage : std::uint8_t {
  /// FORMAT, IDENTITY or a segment is of another partition or log, or damaged.
  identity,
  /// Written by a newer version.
  format_too_new,
  /// A frame or the header of a segment does not match its checksum.
  log_corrupted,
  missing_segment,
  /// The log ends before a position that was durable.
  lost_data,
  two_writers,
  /// A frame is whole, but what is in it cannot be decoded or applied.
  record,
  snapshot,
  /// The state is not what replaying the log makes.
  state_differs,
  /// Neither the whole log nor a good snapshot is there.
  not_recoverable,
};

/// Returns the name of the enumerator, e.g., "lost_data".
std::string to_string(damage kind);

/// One thing that is damaged.
struct finding {
  damage kind = damage::log_corrupted;

  /// Names file, offset or position.
  std::string what;
};

/// What was looked at and found. Plain value.
struct verification {
  partition_id id;

  /// Whether somebody had the partition open meanwhile.
  bool is_running = false;

  /// In the order log, snapshots, state. Empty: all is well.
  std::vector<finding> findings;

  /// What is not damage, but should be known.
  std::vector<std::string> notes;

  position last;
  std::uint64_t frames = 0;
  std::uint64_t records = 0;
  std::vector<position> snapshots;

  /// Where the replay began; none: at the beginning of the log.
  position replayed_from;

  /// Up to where the state was compared; none: it was not.
  position compared_at;

  /// The users' value types met in the log.
  std::set<value_type> foreign_types;
};

/// Verifies every frame and the chain, decodes every record, verifies every
/// snapshot, replays from the oldest place there is, and compares the outcome
/// with each snapshot on the way and with the state. Changes nothing and takes
/// no lock; what looks damaged while a partition is running is looked at again,
/// since it may have been changing.
///
/// A partition whose log has events of the users' value types is compared
/// without the column families that these may change; a note says so.
/// @param scratch  Folder for copies, see `scratch_folder::create`.
/// @returns An error only if something could not be looked at.
result<verification> verify_partition(storage::file_system& files,
                                      const partition_folder& folder,
                                      const storage::path& scratch,
                                      progress& watcher);

} // namespace gnomon::inspection
