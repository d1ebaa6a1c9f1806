// Reads the log of a partition for an exporter.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/position.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"
#include "storage/log_reader.hpp"

#include <cstddef>
#include <memory>
#include <set>
#include <string>

namespace gnomon::exporters {

/// Where to read, and what of it.
struct source_options {
  storage::path log_directory;
  storage::log_id log;
  partition_id partition;

  /// Only these; none: all.
  std::set<value_type> value_types = {};

  /// A batch ends with the frame that reaches it.
  std::size_t batch_bytes_max = 1 << 20;
};

/// What `record_source::read` found.
struct source_batch {
  /// Bytes of a `v1::ExportBatch`.
  std::string content;

  std::size_t records = 0;

  /// Last position that was read, whether it is in the batch or not.
  position last;
};

/// Makes batches of records in their exchange form. Keeps its place, so that
/// reading on costs no search.
///
/// Threads: used by one at a time, beside the writer of the log.
class record_source {
public:
  /// @param files  Borrowed; must outlive this.
  record_source(storage::file_system& files, source_options options);

  /// Reads whole frames from `from` on until the batch is full or `up_to` is
  /// reached. `errc::not_found` if records from `from` on are gone; any error
  /// leaves nothing read.
  /// @param up_to  Durable, the last position of a frame, and not before
  ///               `from`.
  result<source_batch> read(position from, position up_to);

private:
  result<source_batch> read_frames(position from, position up_to);

  storage::file_system& files_;
  source_options options_;
  std::unique_ptr<storage::log_reader> reader_;
};

} // namespace gnomon::exporters
