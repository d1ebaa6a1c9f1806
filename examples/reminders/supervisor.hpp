// Runs the service as a child process, and kills it every now and then.

#pragma once

#include <filesystem>
#include <gnomon/timestamp.hpp>

namespace reminders {

struct run_outcome {
  int kills = 0;

  /// When the last child was asked to stop.
  gnomon::timestamp stopped;

  /// The last child ended by itself and well.
  bool ended_well = false;
};

/// Runs `reminders run --data data file` for about `seconds`, kills it `kills`
/// times with SIGKILL and starts it again, and shows how it goes.
run_outcome supervise(const std::filesystem::path& data,
                      const std::filesystem::path& file, int seconds,
                      int kills);

} // namespace reminders
