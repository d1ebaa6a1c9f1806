#include <gtest/gtest.h>

#include "history.hpp"
#include "report.hpp"
#include <sstream>

using namespace reminders;

namespace {

constexpr std::int64_t start = 1'700'000'000'000;

/// Every second for ever, from line 1; accepted at `start`.
class Report : public testing::Test {
protected:
  Report() {
    what.entries.push_back(
      {.line = 1, .when = "R/PT1S", .target = "mail", .payload = ""});
    of().key = 9;
    of().accepted = {start};
    of().times_created = 1;
    run.stopped = {start + 4'500};
    for (std::uint64_t number = 1; number <= 3; ++number) {
      of().triggered[number] = due(number) + gnomon::duration{10};
      seen.delivered[{9, number}] = {{100 + number, 1}};
    }
  }

  entry_history& of() {
    return seen.entries["line-1"];
  }

  static gnomon::timestamp due(std::uint64_t number) {
    return {start + 1'000 * static_cast<std::int64_t>(number)};
  }

  report judged() {
    return judge(what, seen, run);
  }

  schedule what;
  history seen;
  run_outcome run;
};

} // namespace

TEST_F(Report, FindsNothingWrongInAGoodRun) {
  const auto found = judged();
  EXPECT_TRUE(found.is_right());
  EXPECT_TRUE(found.violations.empty());
  EXPECT_EQ(found.occurrences, 3u);
  EXPECT_EQ(found.triggered, 3u);
  EXPECT_EQ(found.delivered, 3u);
  EXPECT_EQ(found.lateness_p99_ms, 10);
}

TEST_F(Report, ExpectsWhatIsDueUntilTheGraceBeforeTheEnd) {
  run.stopped = {start + 5'499};
  EXPECT_EQ(judged().occurrences, 3u);
  run.stopped = {start + 5'500};
  EXPECT_EQ(judged().occurrences, 4u);
  EXPECT_EQ(judged().lost, 1u);
}

TEST_F(Report, CountsWhatWasNotTriggeredAsLost) {
  of().triggered.erase(2);
  seen.delivered.erase({9, 2});
  EXPECT_EQ(judged().lost, 1u);
}

TEST_F(Report, CountsWhatWasNotDeliveredAsLost) {
  seen.delivered.erase({9, 2});
  EXPECT_EQ(judged().lost, 1u);
}

TEST_F(Report, CountsWhatWasNotCreatedAsLost) {
  seen = {};
  EXPECT_EQ(judged().lost, 1u);
}

TEST_F(Report, DoesNotMissWhatWasSkipped) {
  of().triggered.erase(2);
  seen.delivered.erase({9, 2});
  of().skipped[2] = 1;
  const auto found = judged();
  EXPECT_TRUE(found.is_right());
  EXPECT_EQ(found.skipped, 1u);
}

TEST_F(Report, CountsASecondTimerAsDuplicated) {
  of().times_created = 2;
  EXPECT_EQ(judged().duplicated, 1u);
}

TEST_F(Report, CountsASecondTriggerAsDuplicated) {
  of().triggered_again = 1;
  EXPECT_EQ(judged().duplicated, 1u);
}

TEST_F(Report, CountsASecondJobAsDuplicatedButNotASecondHandover) {
  seen.delivered[{9, 2}] = {{102, 2}};
  EXPECT_TRUE(judged().is_right());
  EXPECT_EQ(judged().redelivered, 1u);
  seen.delivered[{9, 2}] = {{102, 1}, {999, 1}};
  EXPECT_EQ(judged().duplicated, 1u);
}

TEST_F(Report, CountsOccurrencesBeyondTheScheduleAsDuplicated) {
  what.entries[0].when = "R2/PT1S";
  EXPECT_EQ(judged().duplicated, 1u);
  what.entries[0].when = "R3/PT1S";
  EXPECT_EQ(judged().duplicated, 0u);
}

TEST_F(Report, CountsATriggerBeforeItsDueDateAsEarly) {
  of().triggered[2] = due(2);
  EXPECT_EQ(judged().early, 0u);
  of().triggered[2] = due(2) + gnomon::duration{-1};
  EXPECT_EQ(judged().early, 1u);
}

TEST_F(Report, CountsADeliveryThatNoTriggerExplainsAsEarly) {
  seen.delivered[{9, 4}] = {{104, 1}};
  EXPECT_EQ(judged().early, 1u);
}

TEST_F(Report, PrintsOneSummaryLine) {
  std::ostringstream out;
  print(out, judged());
  EXPECT_NE(out.str().find("\nsummary scheduled=1 occurrences=3 triggered=3 "
                           "skipped=0 delivered=3 redelivered=0 lost=0 "
                           "duplicated=0 early=0 lateness_p99_ms=10 kills=0\n"),
            std::string::npos);
}

TEST(Deliveries, AreCountedByOccurrenceAndJob) {
  history seen;
  std::istringstream in{"9 1 101 5 6\n9 1 101 5 7\n9 2 102 6 8\n9 3 10"};
  read_deliveries(seen, in);
  EXPECT_EQ(seen.delivered.size(), 2u);
  EXPECT_EQ((seen.delivered[{9, 1}][101]), 2u);
  EXPECT_EQ((seen.delivered[{9, 2}][102]), 1u);
}
