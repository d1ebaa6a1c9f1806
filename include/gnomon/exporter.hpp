// Exporters: actors that get the records of a partition in order.

#pragma once

#include "gnomon/json_lines_options.hpp"
#include "gnomon/partition.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gnomon {

/// How an exporter is known to its partition, and what it gets.
struct exporter_options {
  /// 1 to 64 of a-z, 0-9, - and _. The partition keeps the acknowledged
  /// position under this name, and the log behind it, until
  /// `CONTROL_OPERATION_FORGET_EXPORTER` or until it lags too much. A second
  /// exporter of the same name takes the place of the first.
  std::string name = {};

  /// Only records of these; none: all.
  std::vector<value_type> value_types = {};

  /// A batch ends with the frame that reaches it; 0: 1 MiB.
  std::size_t batch_bytes_max = 0;

  /// Batches sent and not acknowledged; 0: 4.
  std::uint32_t batches_max = 0;

  /// Goes on behind a gap after it was detached and the records in front of it
  /// were compacted. Otherwise it ends.
  bool accept_gap = false;

  /// Runs on a thread of its own; for callbacks that block.
  bool detached = true;
};

/// Takes the records of a batch. On success all of them are safe and are not
/// sent again, unless the process ends before the partition has kept that. An
/// error, or an exception, has the batch and all behind it sent again.
using export_callback = std::function<result<void>(const v1::ExportBatch&)>;

/// Spawns an actor that calls `take` with the records of `from` that are
/// durable, in order, from the acknowledged position on; a new one begins with
/// the first record that the log still has. No record is left out; some may
/// come again after a failure, a restart or a lost connection, which their
/// positions tell. It attaches again while the partition is unavailable, and
/// ends with it, or when it is detached.
exporter spawn_exporter(caf::actor_system& system, partition from,
                        export_callback take, exporter_options options);

/// Spawns an exporter that writes each record as a line of JSON, by the mapping
/// of protobuf, to files that rotate. Files are synced before it acknowledges.
exporter spawn_json_exporter(caf::actor_system& system, partition from,
                             json_lines_options where,
                             exporter_options options);

} // namespace gnomon
