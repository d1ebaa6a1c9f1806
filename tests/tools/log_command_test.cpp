#include "tests/tools/tool_fixture.hpp"

#include <sstream>

using namespace gnomon;
using namespace gnomon::test;

namespace {

class LogCommand : public ToolTest {
protected:
  /// Returns the records printed, one for each line.
  static std::vector<nlohmann::json> parse(const std::string& lines) {
    std::vector<nlohmann::json> found;
    std::istringstream rest{lines};
    for (std::string line; std::getline(rest, line);)
      found.push_back(nlohmann::json::parse(line, nullptr, false));
    return found;
  }

  std::vector<nlohmann::json> records(const std::vector<std::string>& more
                                      = {}) const {
    auto arguments = more;
    arguments.push_back("--json");
    return parse(tool("log", arguments).out);
  }
};

TEST_F(LogCommand, PrintsEveryRecordWithItsValue) {
  create_timers(2);
  const auto all = records();
  ASSERT_EQ(all.size(), partition.core().applied_position().value);
  EXPECT_EQ(all[0]["intent"], "OPENED");
  EXPECT_EQ(all[0]["value_type"], "partition");
  EXPECT_EQ(all.back()["value_type"], "timer");
  EXPECT_EQ(all.back()["intent"], "CREATED");
  EXPECT_EQ(all.back()["record_type"], "event");
  EXPECT_EQ(all.back()["value"]["name"], "timer-1");
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i]["position"], i + 1);
}

TEST_F(LogCommand, BeginsWhereItIsTold) {
  create_timers(2);
  const auto last = partition.core().applied_position().value;
  EXPECT_EQ(records({"--from", std::to_string(last)}).size(), 1u);
  EXPECT_EQ(records({"--from", std::to_string(last + 1)}).size(), 0u);
}

TEST_F(LogCommand, FiltersByTypeAndKey) {
  create_timers(2);
  const auto timers = records({"--type", "timer"});
  EXPECT_EQ(timers.size(), 4u);
  EXPECT_EQ(records({"--type", "1"}).size(), 4u);
  EXPECT_EQ(records({"--type", "job"}).size(), 0u);
  const std::string key = timers.back()["key"];
  EXPECT_EQ(records({"--key", key}).size(), 1u);
  EXPECT_EQ(tool("log", {"--type", "tmier"}).status, 2);
}

TEST_F(LogCommand, SaysOnTheFirstLineThatItMayPrecedeDurability) {
  const auto text = tool("log").out;
  EXPECT_NE(text.substr(0, text.find('\n')).find("may precede"),
            std::string::npos);
}

TEST_F(LogCommand, MarksWhatIsNotKnownToBeDurable) {
  create_timers(1);
  partition.submit(create_timer{.when = year_2100});
  partition.process();
  const auto all = records();
  EXPECT_EQ(all.front()["may_precede_durability"], false);
  EXPECT_EQ(all.back()["may_precede_durability"], true);
  partition.close();
  EXPECT_EQ(records().back()["may_precede_durability"], false);
}

TEST_F(LogCommand, ReadsOverSegments) {
  grow();
  const auto all = records({"--from", "2000"});
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front()["position"], 2000);
  EXPECT_EQ(all.back()["position"], partition.core().applied_position().value);
}

TEST_F(LogCommand, FollowsALogThatIsBeingWritten) {
  create_timers(1);
  const auto next = partition.core().applied_position().value + 1;
  program following{{"log", directory(), "--follow", "--json", "--from",
                     std::to_string(next), "--limit", "4"}};
  create_timers(1, "second-");
  create_timers(1, "third-");
  const auto all = parse(following.wait().out);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all.front()["position"], next);
  EXPECT_EQ(all.back()["value"]["name"], "third-0");
}

TEST_F(LogCommand, FollowsFromSegmentToSegment) {
  const auto next = partition.core().applied_position().value + 1;
  program following{{"log", directory(), "--follow", "--json", "--from",
                     std::to_string(next), "--limit", "5400"}};
  for (const auto* prefix : {"first-", "second-", "third-"})
    create_timers(900, prefix);
  EXPECT_GT(segments().size(), 1u);
  const auto all = parse(following.wait().out);
  ASSERT_EQ(all.size(), 5400u);
  EXPECT_EQ(all.back()["value"]["name"], "third-899");
}

TEST_F(LogCommand, GoesOnIfCompactionOvertakesIt) {
  program following{{"log", directory(), "--follow", "--json", "--type",
                     "partition", "--limit", "2"}};
  following.wait_for_output();
  grow();
  partition.close();
  partition.open();
  const auto outcome = following.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(parse(outcome.out).size(), 2u);
}

TEST_F(LogCommand, StopsAtALostSegment) {
  for (const auto* prefix : {"first-", "second-", "third-", "fourth-"})
    create_timers(900, prefix);
  ASSERT_GE(segments().size(), 3u);
  std::filesystem::remove(segments()[1]);
  const auto outcome = tool("log", {"--json"});
  EXPECT_EQ(outcome.status, 12);
  EXPECT_FALSE(outcome.out.empty());
}

} // namespace
