// What repeats do where clocks are put forward and back.

#include "tests/timers/recurrence/vectors.hpp"

using namespace gnomon;
using namespace gnomon::test;

namespace {

std::vector<timestamp> first_dates(std::string_view expression,
                                   std::string_view anchor,
                                   const std::string& zone, std::size_t count) {
  return due_dates(parsed(expression, anchor, zone), count);
}

} // namespace

TEST(Cron, SkipsATimeThatTheClockIsPutForwardOver) {
  EXPECT_EQ(
    first_dates("0 30 2 * * *", "2016-03-12T00:00:00Z", "America/New_York", 2),
    instants({"2016-03-12T07:30:00Z", "2016-03-14T06:30:00Z"}));
}

TEST(Cron, IsDueLaterOnTheDayOfAGap) {
  EXPECT_EQ(first_dates("0 30 2/4 * * *", "2019-10-05T13:00:00Z",
                        "Australia/Sydney", 1),
            instants({"2019-10-05T19:30:00Z"}));
}

TEST(Cron, IsDueOnceInTheRepeatedHourIfItHasATimeOfDay) {
  EXPECT_EQ(
    first_dates("0 30 1 * * *", "2026-11-01T00:00:00Z", "America/New_York", 2),
    instants({"2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"}));
}

TEST(Cron, IsDueTwiceInTheRepeatedHourIfItRunsEveryHour) {
  EXPECT_EQ(
    first_dates("0 0 * * * *", "2026-11-01T04:30:00Z", "America/New_York", 3),
    instants({"2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z",
              "2026-11-01T07:00:00Z"}));
}

TEST(Cron, IsDueOnceInTheRepeatedHourIfItRunsEverySecondHour) {
  EXPECT_EQ(
    first_dates("0 0 */2 * * *", "2024-10-26T23:30:00Z", "Europe/Berlin", 2),
    instants({"2024-10-27T00:00:00Z", "2024-10-27T03:00:00Z"}));
}

TEST(Cron, CountsTheSecondShowingIfTheFirstIsBeforeTheAnchor) {
  const auto late = "2024-10-27T00:30:00.001Z";
  const auto exact = "2024-10-27T00:30:00Z";
  EXPECT_EQ(first_dates("0 30 2 * * *", late, "Europe/Berlin", 2),
            instants({"2024-10-27T01:30:00Z", "2024-10-28T01:30:00Z"}));
  EXPECT_EQ(first_dates("0 30 2 * * *", exact, "Europe/Berlin", 1),
            instants({"2024-10-28T01:30:00Z"}));
}

TEST(Cron, TakesTheShortDayForAWholeDay) {
  EXPECT_EQ(
    first_dates("0 0 12 * * SUN", "2022-03-24T00:00:00Z", "Europe/Berlin", 2),
    instants({"2022-03-27T10:00:00Z", "2022-04-03T10:00:00Z"}));
}

TEST(Cron, KnowsDaylightSavingBehindTheYear2037) {
  EXPECT_EQ(
    first_dates("0 0 12 1 7 *", "2040-01-01T00:00:00Z", "Europe/Berlin", 1),
    instants({"2040-07-01T10:00:00Z"}));
  EXPECT_EQ(
    first_dates("0 0 12 1 7 *", "9040-01-01T00:00:00Z", "Europe/Berlin", 1),
    instants({"9040-07-01T10:00:00Z"}));
}

TEST(Cron, GoesOnWhereWinterIsTheException) {
  EXPECT_EQ(
    first_dates("0 30 1 * * *", "2024-10-26T00:00:00Z", "Europe/Dublin", 3),
    instants({"2024-10-26T00:30:00Z", "2024-10-27T00:30:00Z",
              "2024-10-28T01:30:00Z"}));
}

TEST(Cron, GoesOnWhereClocksStandBackForOneMonth) {
  // Ramadan of 2024: from March 10 to April 14, Morocco is at UTC.
  EXPECT_EQ(
    first_dates("0 30 2 * * *", "2024-03-09T00:00:00Z", "Africa/Casablanca", 3),
    instants({"2024-03-09T01:30:00Z", "2024-03-10T01:30:00Z",
              "2024-03-11T02:30:00Z"}));
  EXPECT_EQ(
    first_dates("0 30 2 * * *", "2024-04-13T00:00:00Z", "Africa/Casablanca", 2),
    instants({"2024-04-13T02:30:00Z", "2024-04-15T01:30:00Z"}));
}

TEST(Cron, PassesTheDayThatSamoaDidNotHave) {
  EXPECT_EQ(
    first_dates("0 0 12 * * *", "2011-12-29T00:00:00Z", "Pacific/Apia", 2),
    instants({"2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z"}));
}

TEST(Interval, KeepsTheTimeOfDayBehindAGap) {
  EXPECT_EQ(first_dates("R/2024-03-30T02:30:00+01:00[Europe/Berlin]/P1D",
                        "2024-03-01T00:00:00Z", "UTC", 3),
            instants({"2024-03-30T01:30:00Z", "2024-03-31T01:30:00Z",
                      "2024-04-01T00:30:00Z"}));
}

TEST(Interval, KeepsTheOffsetOfItsStartInTheRepeatedHour) {
  EXPECT_EQ(first_dates("R2/2024-10-26T02:30:00+02:00[Europe/Berlin]/P1D",
                        "2024-10-01T00:00:00Z", "UTC", 2)
              .back(),
            at("2024-10-27T00:30:00Z"));
  EXPECT_EQ(first_dates("R2/2024-01-27T02:30:00+01:00[Europe/Berlin]/P9M",
                        "2024-01-01T00:00:00Z", "UTC", 2)
              .back(),
            at("2024-10-27T01:30:00Z"));
}

TEST(Interval, PassesTheDayThatSamoaDidNotHaveAndKeepsTheNumbers) {
  const auto rule = parsed("R/2011-12-29T00:30:00-10:00[Pacific/Apia]/P1D");
  const auto before = rule.first();
  const auto shifted = rule.next(*before);
  const auto behind = rule.next(*shifted);
  EXPECT_EQ(*shifted, (occurrence{2, at("2011-12-30T10:30:00Z")}));
  EXPECT_EQ(*behind, (occurrence{4, at("2011-12-31T10:30:00Z")}));
  EXPECT_EQ(rule.latest(*before, shifted->due), shifted);
  EXPECT_EQ(rule.latest(*before, behind->due), behind);
}

TEST(Interval, CountsHoursExactlyWhateverTheClockShows) {
  EXPECT_EQ(first_dates("R/2024-03-30T12:00:00+01:00[Europe/Berlin]/PT24H",
                        "2024-03-01T00:00:00Z", "UTC", 2),
            instants({"2024-03-30T11:00:00Z", "2024-03-31T11:00:00Z"}));
}

TEST(Delay, CountsDaysOnTheWallAndHoursOnTheLine) {
  const auto anchor = "2024-03-30T11:00:00Z";
  for (const auto days : {"P1D", "1d"})
    EXPECT_EQ(first_dates(days, anchor, "Europe/Berlin", 1),
              instants({"2024-03-31T10:00:00Z"}));
  for (const auto hours : {"PT24H", "24h"})
    EXPECT_EQ(first_dates(hours, anchor, "Europe/Berlin", 1),
              instants({"2024-03-31T11:00:00Z"}));
}
