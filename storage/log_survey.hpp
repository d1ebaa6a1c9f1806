// Looks at a log as it lies on disk and judges it, without touching it.

#pragma once

#include "gnomon/result.hpp"
#include "storage/log_options.hpp"
#include "storage/ports/frame_log.hpp"
#include "storage/segment.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::storage {

/// What a log on disk holds. Plain value.
struct log_survey {
  /// First positions of the segments, ascending; without those in `empty`.
  std::vector<position> segments;

  /// Last segments whose header is not whole and that hold no frame.
  std::vector<position> empty;

  /// Names of files that a crash left in the making.
  std::vector<std::string> unfinished;

  /// Last position of the valid frames.
  position last;

  /// Highest position that is known to have been durable.
  position durable;

  chain_value chain;
  std::uint64_t epoch = 0;
  std::uint64_t next_key = 1;
  std::uint64_t frames_verified = 0;

  /// Where the valid frames of the last segment end.
  std::uint64_t end_offset = 0;

  /// Bytes behind that, up to the last one that is not zero: a torn tail that
  /// was never acknowledged.
  std::uint64_t torn_bytes = 0;
};

/// Reads the log in `directory` and judges what it finds. The errors are those
/// of `log::open`, each with file, offset and position.
result<log_survey> survey_log(file_system& files, const path& directory,
                              log_id id, const open_hints& hints);

/// Verifies every frame of a log that nobody writes. For tools.
result<log_survey> verify_log(file_system& files, const path& directory,
                              log_id id);

} // namespace gnomon::storage
