#include <gtest/gtest.h>

#include "schedule_file.hpp"
#include <fstream>
#include <sstream>

using namespace reminders;

namespace {

constexpr gnomon::timestamp now{1'700'000'000'000};

schedule read(const std::string& text) {
  std::istringstream in{text};
  return read_schedule(in, now);
}

/// Reads one bad line.
fault only_fault(const std::string& line) {
  const auto found = read(line + "\n3s | mail | good\n");
  EXPECT_EQ(found.entries.size(), 1u) << line;
  EXPECT_EQ(found.faults.size(), 1u) << line;
  return found.faults.empty() ? fault{} : found.faults.front();
}

} // namespace

TEST(ScheduleFile, IsReadPartByPartWithoutTheBlanksAround) {
  const auto found = read("  */3 * * * * *\t|  mail |  Hello, you  \r\n");
  ASSERT_EQ(found.entries.size(), 1u);
  EXPECT_EQ(found.entries[0].when, "*/3 * * * * *");
  EXPECT_EQ(found.entries[0].target, "mail");
  EXPECT_EQ(found.entries[0].payload, "Hello, you");
}

TEST(ScheduleFile, KeepsBarsInThePayload) {
  const auto found = read("3s|mail|a | b|c");
  ASSERT_EQ(found.entries.size(), 1u);
  EXPECT_EQ(found.entries[0].payload, "a | b|c");
}

TEST(ScheduleFile, AllowsAnEmptyPayloadButNoMissingOne) {
  EXPECT_EQ(read("3s|mail|").entries.size(), 1u);
  EXPECT_EQ(read("3s|mail").faults.size(), 1u);
}

TEST(ScheduleFile, PassesOverCommentsAndBlankLinesButCountsThem) {
  const auto found = read("# comment\n\n \t \n  # another\n3s|mail|x\n");
  EXPECT_TRUE(found.faults.empty());
  ASSERT_EQ(found.entries.size(), 1u);
  EXPECT_EQ(found.entries[0].line, 5u);
}

TEST(ScheduleFile, GoesOnBehindABadLineAndTellsItsNumber) {
  const auto found = read("1s|mail|x\nnever|mail|x\n2s|mail|x\n");
  ASSERT_EQ(found.faults.size(), 1u);
  EXPECT_EQ(found.faults[0].line, 2u);
  EXPECT_EQ(found.entries.size(), 2u);
}

TEST(ScheduleFile, PointsAtTheColumnOfTheFault) {
  const auto bad = only_fault("  P1X | mail | x");
  EXPECT_EQ(bad.column, 5u);
  EXPECT_NE(bad.reason.find("expected "), std::string::npos);
  EXPECT_NE(bad.reason.find("found "), std::string::npos);
}

TEST(ScheduleFile, PointsBehindALineWithMissingParts) {
  EXPECT_EQ(only_fault("3s mail").column, 8u);
}

TEST(ScheduleFile, NeedsATarget) {
  EXPECT_EQ(only_fault("3s |  | x").column, 5u);
  EXPECT_EQ(only_fault("3s || x").column, 5u);
}

TEST(ScheduleFile, NeedsATime) {
  EXPECT_EQ(only_fault(" | mail | x").column, 1u);
}

TEST(ScheduleFile, NamesTimersAfterTheirLines) {
  const auto command
    = to_command({.line = 7, .when = "3s", .target = "mail", .payload = "x"});
  EXPECT_EQ(command.name, "line-7");
  EXPECT_EQ(command.idempotency_key, "line-7");
}

TEST(ScheduleFile, ThatIsShippedHasFortyGoodLinesAndFiveBadOnes) {
  std::ifstream in{REMINDERS_SCHEDULE};
  const auto found = read_schedule(in, now);
  EXPECT_GE(found.entries.size(), 40u);
  EXPECT_EQ(found.faults.size(), 5u);
}
