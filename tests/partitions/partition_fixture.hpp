// A partition on real files, a manual clock, and nobody else: the test steps it
// and runs its tickets.

#pragma once

#include "gnomon/commands.hpp"
#include "storage/state_content.hpp"
#include "storage/system_file_system.hpp"
#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

#include "partitions/stream_processor.hpp"
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::partitions {

class partition_fixture : public ::testing::Test {
protected:
  partition_fixture();

  ~partition_fixture() override;

  /// Opens the partition; the test fails if that fails.
  void open();

  /// Ends it as kill -9 would.
  void kill();

  void close();

  /// Takes a command in. @returns The number of its answer.
  std::uint64_t submit(const v1::Command& command);

  /// Processes and syncs until nothing is left.
  void settle();

  /// Processes until nothing is left, without a sync.
  void process();

  void sync();

  /// Lets time go by, looks for what is due, and settles.
  void advance(duration by);

  /// Returns the answer to `request` if it is out.
  const record* answer_to(std::uint64_t request) const;

  /// Returns the key in the answer to `request`, once settled.
  key key_of(std::uint64_t request) const;

  /// Returns how many records of the kind the log has.
  std::size_t count(value_type type, int what);

  std::uint64_t content_hash();

  /// Takes a snapshot as the actor would.
  void take_snapshot();

  std::filesystem::path directory;
  std::filesystem::path partition_directory;
  partition_options options;
  testing::manual_clock time;
  std::unique_ptr<stream_processor> partition;
  std::vector<engine::reply> replies;
  std::vector<engine::delivery> deliveries;
};

} // namespace gnomon::partitions
