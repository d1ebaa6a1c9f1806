// A partition on real files that the library has made, for the program to look
// at.

#pragma once

#include "tests/partitions/driven_partition.hpp"
#include "tests/tools/program.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gnomon::test {

/// Due behind everything; never triggers in a test.
inline constexpr timestamp year_2100{4'102'444'800'000};

/// Behind the clock of the partition (2024), but before any wall clock.
inline constexpr timestamp year_2025{1'735'689'600'000};

/// The partition is open when a test begins.
class ToolTest : public PartitionTest {
protected:
  ToolTest();

  /// The folder of all partitions.
  std::string directory() const;

  /// The partition's own folder.
  std::filesystem::path own_folder() const;

  /// Creates `count` timers named by `prefix` and a number, due in 2100.
  void create_timers(int count, const std::string& prefix = "timer-");

  /// Creates timers until the log has several segments, with two snapshots on
  /// the way, so that the oldest segments are compacted.
  void grow();

  /// Returns the files of the log, in order.
  std::vector<std::filesystem::path> segments() const;

  /// Runs the command on the folder of all partitions.
  program_outcome tool(const std::string& command,
                       const std::vector<std::string>& more = {}) const;

  /// Returns what the command prints about the only partition as JSON.
  nlohmann::json ask(const std::string& command,
                     const std::vector<std::string>& more = {}) const;

  /// Flips the lowest bit of the byte at `offset`.
  static void flip(const std::filesystem::path& file, std::uint64_t offset);

  /// Makes the stamp one of an earlier run of the operating system.
  void age_stamp();
};

} // namespace gnomon::test
