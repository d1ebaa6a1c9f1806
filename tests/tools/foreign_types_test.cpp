#include "tests/engine/probe_processor.hpp"
#include "tests/tools/tool_fixture.hpp"

using namespace gnomon;
using namespace gnomon::test;

namespace {

/// A partition whose application has value types of its own, which the program
/// does not know.
class ForeignTypes : public ToolTest {
protected:
  ForeignTypes() {
    partition.close();
    partition.options.processors = [] {
      std::vector<std::unique_ptr<record_processor>> made;
      made.push_back(std::make_unique<probe_processor>());
      return made;
    };
    partition.open();
  }

  void run_probe() {
    v1::Command command;
    command.set_value_type(static_cast<std::uint32_t>(probe_type));
    command.set_intent(probe_run.value);
    command.set_key(7);
    command.set_value("hello");
    partition.submit(command);
    partition.process();
    partition.sync();
  }
};

TEST_F(ForeignTypes, AreLeftOutOfTheComparisonAndSoItIsSaid) {
  create_timers(3);
  run_probe();
  const auto found = tool("verify", {"--json"});
  EXPECT_EQ(found.status, 0) << found.out;
  const auto answer = found.json()["partitions"][0];
  EXPECT_EQ(answer["users_value_types"], nlohmann::json::array({1001}));
  ASSERT_EQ(answer["notes"].size(), 1u);
  const std::string note = answer["notes"][0];
  EXPECT_NE(note.find("replay is not possible for value types 1001"),
            std::string::npos);
}

TEST_F(ForeignTypes, DoNotHideDamageOfOurs) {
  create_timers(3);
  run_probe();
  partition.take_snapshot();
  partition.close();
  flip(segments().front(), 64 + 100);
  EXPECT_EQ(tool("verify").status, 12);
}

TEST_F(ForeignTypes, AreMissingFromAStateMadeAnewAndSoItIsSaid) {
  create_timers(3);
  run_probe();
  partition.kill();
  age_stamp();
  const auto answer = ask("timers");
  EXPECT_EQ(answer["timers"].size(), 3u);
  const std::string lacking = answer["lacking"];
  EXPECT_NE(lacking.find("1001"), std::string::npos);
}

TEST_F(ForeignTypes, AreNotSkippedByASnapshotOfAStateMadeAnew) {
  create_timers(3);
  partition.take_snapshot();
  const auto before = partition.core().applied_position().value;
  run_probe();
  const auto content = partition.content_hash();
  partition.kill();
  age_stamp();
  const auto taken = tool("snapshot", {"--json"});
  EXPECT_EQ(taken.status, 0) << taken.errors;
  EXPECT_EQ(taken.json()["partitions"][0]["position"], before);
  partition.open();
  partition.close();
  age_stamp();
  partition.open();
  EXPECT_NE(content, 0u);
  EXPECT_EQ(partition.core().view().operator*()->count(probe_counts), 1u);
}

TEST_F(ForeignTypes, ArePrintedByNumber) {
  run_probe();
  const auto text = tool("log", {"--type", "1001"}).out;
  EXPECT_NE(text.find("1001"), std::string::npos);
  EXPECT_NE(text.find("of value"), std::string::npos);
}

} // namespace
