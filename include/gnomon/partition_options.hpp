// Every limit and period of a partition, with its default.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gnomon {

class record_processor;

/// Makes the user's own processors, one set for each time a partition opens.
using processor_factory
  = std::function<std::vector<std::unique_ptr<record_processor>>()>;

/// What a partition is opened with. Plain value.
struct partition_options {
  /// Folder of all partitions of an application; created if need be.
  std::filesystem::path directory = {};

  /// Which one of `partition_count` partitions; both are fixed when the
  /// partition is created.
  partition_id id{1};
  std::uint16_t partition_count = 1;

  // -- processing -------------------------------------------------------------

  /// Processors for the users' own value types.
  processor_factory processors = {};

  /// Sees what processors deliver on channels of their own, once it is durable.
  /// Called by the partition actor; must not block.
  std::function<void(std::string_view channel, key about, bytes_view content)>
    on_delivery = {};

  std::uint32_t commands_per_batch_max = 1'000;
  std::size_t batch_bytes_max = 4 << 20;

  /// Commands of clients accepted and not yet answered; more are refused with
  /// `errc::resource_exhausted`.
  std::size_t in_flight_max = 200'000;

  /// Time of work after which a partition lets other messages through.
  duration yield_budget{50};

  /// Counts what the partition does; see `v1::Metrics`.
  bool metrics = true;

  /// For how long a repeated idempotency key gets the first answer.
  duration idempotency_window = std::chrono::hours{24};

  // -- time -------------------------------------------------------------------

  /// Wake-ups closer than this are merged; 1 ms to 60 s.
  duration resolution{100};

  /// A forward step of the wall clock beyond this holds stamping.
  duration clock_jump_max = std::chrono::hours{24};

  /// For how long a stepped wall clock must stay consistent to be believed.
  duration clock_confirm = std::chrono::minutes{5};

  /// An occurrence later than this is missed, see `v1::CatchUp`.
  duration catch_up_grace = std::chrono::seconds{60};

  /// Missed occurrences that `CATCH_UP_EVERY` triggers in a row.
  std::uint32_t catch_up_max = 100;

  // -- timers and jobs --------------------------------------------------------

  std::size_t target_bytes_max = 256;
  std::size_t payload_bytes_max = 256 << 10;

  /// Jobs are offered again after this time unless a worker says otherwise.
  duration job_timeout = std::chrono::minutes{5};

  /// Jobs given to one worker in one go, at least 1: with more, others wait
  /// longer for their turn. Fewer if `batch_bytes_max` holds fewer.
  std::uint32_t jobs_per_activation_max = 500;

  // -- storage ----------------------------------------------------------------

  /// Size of a file of the log; at least twice `batch_bytes_max`.
  std::size_t segment_bytes = 64 << 20;

  /// Address space of the state; not memory, not disk.
  std::size_t map_bytes = std::size_t{64} << 30;

  /// A snapshot is taken once the log has grown by this since the last one; 0:
  /// only on request.
  std::size_t snapshot_log_bytes = 256 << 20;

  /// Deletes segments that neither snapshot needs.
  bool compact = true;

  // -- exporters --------------------------------------------------------------

  /// Compaction waits for exporters until one has so many bytes of whole
  /// segments in front of it; then that one is detached.
  std::size_t exporter_lag_bytes_max = std::size_t{4} << 30;

  /// The position of an exporter is made durable after so many bytes, and when
  /// the partition closes; what was acknowledged since is repeated after a
  /// crash.
  std::size_t exporter_repeat_bytes_max = 4 << 20;

  /// An exporter that has refused a batch gets it again after this time,
  /// doubled up to the maximum.
  duration exporter_retry_delay{500};
  duration exporter_retry_delay_max = std::chrono::seconds{30};

  // -- failures ---------------------------------------------------------------

  /// A failed partition opens again after this time, doubled up to the maximum.
  duration reopen_delay{100};
  duration reopen_delay_max = std::chrono::seconds{30};
};

} // namespace gnomon
