// Limits of the engine.

#pragma once

#include "gnomon/timestamp.hpp"

#include <cstddef>
#include <cstdint>

namespace gnomon::engine {

/// All limits of the engine, with their defaults. Plain value.
struct engine_options {
  /// Commands, follow-ups among them, processed before the log is written.
  std::size_t commands_per_batch_max = 100;

  /// Encoded bytes of the records of one frame; at least
  /// `batch_bytes_min`.
  std::size_t batch_bytes_max = 4u << 20;

  /// Commands of clients accepted, but not acknowledged.
  std::size_t in_flight_max = 10'000;

  /// How long a repeated command is recognised. Takes effect for the commands
  /// behind the next PARTITION OPENED, which carries it into the log.
  duration idempotency_window = std::chrono::hours{24};

  /// Attempts at one command whose failure is expected to pass.
  std::uint32_t attempts_max = 5;

  /// Wait before the second attempt; doubles with each further one.
  duration back_off_min = duration{100};

  /// Longest wait between two attempts.
  duration back_off_max = duration{5'000};

  /// Least value of `batch_bytes_max`.
  static constexpr std::size_t batch_bytes_min = 8'192;

  /// What a frame has room for beside a command: always a rejection with its
  /// reason, and a ban.
  static constexpr std::size_t rejection_bytes_max = 4'096;

  /// Returns the longest command that is accepted, encoded.
  constexpr std::size_t command_bytes_max() const {
    return batch_bytes_max - rejection_bytes_max;
  }
};

} // namespace gnomon::engine
