// Reading the log of a partition that may be running.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result.hpp"
#include "storage/log_reader.hpp"
#include "storage/ports/bookkeeping.hpp"

#include "inspection/partition_folder.hpp"
#include <functional>
#include <memory>

namespace gnomon::inspection {

/// What is known about a log without reading its frames. Plain value.
struct log_outline {
  /// First positions of the segments, ascending; may be empty.
  std::vector<position> segments;

  /// Bytes of the files, with space set aside.
  std::uint64_t file_bytes = 0;
};

result<log_outline> outline_log(storage::file_system& files,
                                const partition_folder& folder);

/// Opens the log at `from`, or at its first segment if that is none or before
/// it. `errc::not_found` if there is no segment.
result<std::unique_ptr<storage::log_reader>>
read_log(storage::file_system& files, const partition_folder& folder,
         storage::log_id id, position from);

/// Returns the highest position that segments, the frames of the last one,
/// snapshots and the stamp prove to be durable. What is behind may be durable,
/// too: in a running partition, only the partition knows. Reads the last
/// segment.
result<position> known_durable(storage::file_system& files,
                               const partition_folder& folder,
                               storage::log_id id);

/// Sees a frame, or a record of one; returns whether to go on.
using frame_visitor = std::function<result<bool>(const storage::frame_view&)>;
using record_visitor = std::function<result<bool>(const typed_record&)>;

/// Visits the records of `frame`. `errc::corrupted` or `errc::format_too_new`
/// for bytes that are no records.
/// @returns Whether to go on behind it.
result<bool> visit_records(const storage::frame_view& frame,
                           const record_visitor& visitor);

/// Returns whether the log has the frame after which the state `book` was
/// committed: then the state is of this log.
result<bool> has_frame_of(storage::file_system& files,
                          const partition_folder& folder, storage::log_id id,
                          const storage::state_bookkeeping& book);

} // namespace gnomon::inspection
