// A stream processor on real files that a test drives by hand.

#pragma once

#include "gnomon/commands.hpp"
#include "gnomon/partition_options.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/pushed_jobs.hpp"

#include <gtest/gtest.h>

#include "partitions/stream_processor.hpp"
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::test {

/// Owns a stream processor, runs its tickets at once, and collects what it
/// releases. Fails the test if a call fails that a test does not expect to.
class driven_partition {
public:
  using step_end = partitions::stream_processor::step_end;

  /// @param time  Borrowed.
  driven_partition(const clock& time, partition_options options);

  // -- life -------------------------------------------------------------------

  result<void> try_open();

  void open();

  void close();

  /// Ends it as `kill -9` would: whatever is in memory is lost.
  void kill();

  // -- the loop ---------------------------------------------------------------

  /// Takes `command` in. @returns The number that its answer will carry.
  std::uint64_t submit(const v1::Command& command);

  template <class Command>
  std::uint64_t submit(const Command& command) {
    return submit(to_command(command));
  }

  /// Steps until nothing is left to do or it is held; syncs nothing.
  step_end process();

  /// Syncs, if there is something to sync.
  void sync();

  /// Looks for what is due, then processes and syncs until all is quiet.
  step_end run();

  /// Copies, publishes and retires, as disk actors do.
  storage::snapshot_retirement take_snapshot();

  // -- what came of it --------------------------------------------------------

  bool has_answer(std::uint64_t request);

  /// Returns the answer to `request`. @pre There is one.
  record answer_to(std::uint64_t request);

  /// Returns the jobs pushed since the last call.
  std::vector<pushed_job> take_jobs();

  /// Returns the hash of everything in the state.
  std::uint64_t content_hash();

  std::filesystem::path state_directory();

  partitions::stream_processor& core() {
    return *core_;
  }

  partition_options options;

private:
  void collect();

  const clock& time_;
  std::unique_ptr<partitions::stream_processor> core_;
  std::map<std::uint64_t, record> answers_;
  std::vector<pushed_job> jobs_;
};

/// A directory per test, a clock, and a partition in it, opened.
class PartitionTest : public ::testing::Test {
protected:
  PartitionTest();

  ~PartitionTest() override;

  /// Options of a second partition in `folder` of the same directory.
  partition_options options_for(const std::string& folder) const;

  std::filesystem::path root;
  gnomon::testing::manual_clock clock;
  driven_partition partition;
};

} // namespace gnomon::test
