// Kills a process again and again, at moments that nobody has chosen.

#pragma once

#include "tests/crash/aftermath.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace gnomon::crash {

struct kill_options {
  std::filesystem::path directory;
  std::size_t kills = 100;
  std::uint64_t seed = 1;

  /// What is left is judged after every so many kills.
  std::size_t kills_per_judgement = 25;
  bool show_progress = false;
};

struct kill_outcome {
  std::size_t kills = 0;
  std::size_t acknowledged = 0;

  /// The first fault; empty if there was none.
  std::string fault;
};

/// Starts a partition under load, kills it after 5 to 500 ms (short times as
/// likely as long ones), and so on. The set of what was acknowledged is here,
/// in another process.
kill_outcome run_kill_loop(const kill_options& options);

} // namespace gnomon::crash
