// Runs the service as a child process, and kills it every now and then.

#pragma once

#include <filesystem>
#include <gnomon/result.hpp>
#include <gnomon/timestamp.hpp>

namespace reminders {

struct run_outcome {
  /// Children that were alive when they were killed.
  int kills = 0;

  /// When the last child was asked to stop.
  gnomon::timestamp stopped;

  /// Each child lived until it was killed, and the last one ended well.
  bool ended_well = false;
};

/// Runs `reminders run --data data file` for about `seconds`, kills it `kills`
/// times with SIGKILL and starts it again, and shows how it goes.
gnomon::result<run_outcome> supervise(const std::filesystem::path& data,
                                      const std::filesystem::path& file,
                                      int seconds, int kills);

} // namespace reminders
