#include "tests/tools/tool_fixture.hpp"

using namespace gnomon;
using namespace gnomon::test;

namespace fs = std::filesystem;

namespace {

class SnapshotCommand : public ToolTest {};

TEST_F(SnapshotCommand, IsRefusedWhileThePartitionIsRunning) {
  create_timers(3);
  const auto refused = tool("snapshot");
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.errors.find("in_use"), std::string::npos);
  EXPECT_NE(refused.errors.find("CONTROL_OPERATION_SNAPSHOT"),
            std::string::npos);
}

TEST_F(SnapshotCommand, TakesOneThatVerifies) {
  create_timers(3);
  const auto at = partition.core().applied_position().value;
  partition.close();
  const auto taken = tool("snapshot", {"--json"});
  ASSERT_EQ(taken.status, 0) << taken.errors;
  EXPECT_EQ(taken.json()["partitions"][0]["position"], at);
  const auto found = ask("verify");
  EXPECT_EQ(found["findings"].size(), 0u);
  EXPECT_EQ(found["snapshots"], nlohmann::json::array({at}));
}

TEST_F(SnapshotCommand, LeavesAPartitionThatOpensAsBefore) {
  create_timers(3);
  const auto before = partition.content_hash();
  partition.kill();
  ASSERT_EQ(tool("snapshot").status, 0);
  EXPECT_EQ(ask("timers")["timers"].size(), 3u);
  fs::remove_all(own_folder() / "state");
  partition.open();
  EXPECT_NE(before, 0u);
  EXPECT_EQ(ask("timers")["timers"].size(), 3u);
}

TEST_F(SnapshotCommand, ReplaysAStateThatHadToBeMadeAnew) {
  create_timers(3);
  const auto at = partition.core().applied_position().value;
  partition.kill();
  age_stamp();
  const auto taken = tool("snapshot", {"--json"});
  ASSERT_EQ(taken.status, 0) << taken.errors;
  EXPECT_EQ(taken.json()["partitions"][0]["position"], at);
  EXPECT_EQ(tool("verify").status, 0);
}

} // namespace
