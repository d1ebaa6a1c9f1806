#include "tests/timers/recurrence/vectors.hpp"

using namespace gnomon;
using namespace gnomon::test;

namespace {

/// Parses what is expected to be wrong.
parse_error fault_of(std::string_view expression,
                     const recurrence_options& options = {}) {
  parse_error where;
  const auto rule = recurrence::parse(expression, options,
                                      at("2024-01-01T00:00:00Z"), &where);
  EXPECT_FALSE(rule) << expression;
  return where;
}

void expect_fault(std::string_view expression, std::size_t offset,
                  std::string_view found) {
  const auto fault = fault_of(expression);
  EXPECT_EQ(fault.offset, offset) << expression;
  EXPECT_EQ(fault.found, found) << expression;
  EXPECT_FALSE(fault.expected.empty()) << expression;
}

std::vector<timestamp> first_dates(std::string_view expression,
                                   std::size_t count) {
  return due_dates(parsed(expression), count);
}

recurrence_options five_fields() {
  recurrence_options options;
  options.cron_five_fields = true;
  return options;
}

} // namespace

TEST(Recurrence, PointsAtTheOffendingByte) {
  expect_fault("", 0, "the end");
  expect_fault("soon", 0, "\"s\"");
  expect_fault("PT1H1H", 5, "\"H\"");
  expect_fault("PT", 2, "the end");
  expect_fault("P2147483648D", 1, "\"2147483648D\"");
  expect_fault("2023-02-29T00:00:00Z", 8, "\"29\"");
  expect_fault("2024-01-01T00:00:00Z[Mars/Olympus]", 21, "\"Mars/Olympus\"");
  expect_fault("R3/2024-01-01T00:00:00Z/P1X", 26, "\"X\"");
  expect_fault("R-2/PT1H", 1, "\"-2\"");
  expect_fault("0 0 25 * * *", 4, "\"25\"");
  expect_fault("0 0 0 * * MONDAY", 13, "\"D\"");
  expect_fault("0 0 0 * *", 9, "the end");
  expect_fault("0 0 0 * * * *", 12, "\"*\"");
  expect_fault("@reboot", 0, "\"@reboot\"");
  expect_fault("\xD9\xA3 * * * * *", 0, "\"\\xD9\"");
}

TEST(Recurrence, SaysInTheErrorWhatWasExpected) {
  const auto rule = recurrence::parse("0 0 25 * * *", {}, {});
  ASSERT_FALSE(rule);
  EXPECT_EQ(rule.error().code, errc::invalid_argument);
  EXPECT_EQ(rule.error().context,
            "parse \"0 0 25 * * *\": at offset 4: expected hour from 0 to 23, "
            "but found \"25\"");
}

TEST(Recurrence, ShortensTheExpressionInTheError) {
  const std::string just(200, 'x');
  const auto fits = recurrence::parse(just, {}, {});
  EXPECT_NE(fits.error().context.find("\"" + just + "\""), std::string::npos);
  const auto shortened = recurrence::parse(just + "x", {}, {});
  EXPECT_NE(shortened.error().context.find("\"" + just + "...\""),
            std::string::npos);
}

TEST(Recurrence, RefusesADefaultZoneThatDoesNotExist) {
  for (const auto zone :
       {"Mars/Olympus", "", "../UTC", "/etc/localtime", "localtime",
        "right/Europe/Berlin", "+19:00", "europe/berlin"}) {
    recurrence_options options;
    options.default_zone = zone;
    EXPECT_FALSE(recurrence::parse("PT1H", options, {})) << zone;
  }
}

TEST(Recurrence, TakesAnOffsetForADefaultZone) {
  const auto rule = parsed("0 0 12 * * *", "2024-01-01T00:00:00Z", "+05:30");
  EXPECT_EQ(rule.first()->due, at("2024-01-01T06:30:00Z"));
}

TEST(Recurrence, ReadsShortForms) {
  EXPECT_EQ(first_dates("3d", 1), instants({"2024-01-04T00:00:00Z"}));
  EXPECT_EQ(first_dates("1h30m", 1), instants({"2024-01-01T01:30:00Z"}));
  EXPECT_EQ(first_dates("90s", 1), instants({"2024-01-01T00:01:30Z"}));
  EXPECT_EQ(first_dates("250ms", 1), instants({"2024-01-01T00:00:00.250Z"}));
  EXPECT_EQ(first_dates("5500ms", 1), instants({"2024-01-01T00:00:05.500Z"}));
  EXPECT_EQ(first_dates("86400s", 1), instants({"2024-01-02T00:00:00Z"}));
  EXPECT_EQ(first_dates("2w", 1), instants({"2024-01-15T00:00:00Z"}));
  EXPECT_EQ(first_dates("1w1d1h1m1s1ms", 1),
            instants({"2024-01-09T01:01:01.001Z"}));
}

TEST(Recurrence, RefusesShortFormsOutOfOrder) {
  for (const auto text :
       {"30m1h", "1h1h", "1", "1D", "1x", "1.5h", "-1h", "1h ",
        "99999999999999999999d", "2147483648d", "1mss"})
    EXPECT_FALSE(recurrence::parse(text, {}, {})) << text;
}

TEST(Recurrence, DoesNotRepeatWhatIsDueOnce) {
  for (const auto text : {"2024-01-31T10:00:00Z", "PT1H", "3d", "R1/PT1H",
                          "R0/PT1H", "R0/PT1H/2025-01-01T00:00:00Z"}) {
    const auto rule = parsed(text);
    EXPECT_FALSE(rule.repeats()) << text;
    EXPECT_EQ(rule.first()->number, 1u) << text;
    EXPECT_FALSE(rule.next(*rule.first())) << text;
    EXPECT_EQ(rule.latest(*rule.first(), timestamp::max()), rule.first());
  }
}

TEST(Recurrence, KeepsTheDayOfTheMonthOfItsStart) {
  EXPECT_EQ(first_dates("R/2024-01-31T00:00:00Z/P1M", 5),
            instants({"2024-01-31T00:00:00Z", "2024-02-29T00:00:00Z",
                      "2024-03-31T00:00:00Z", "2024-04-30T00:00:00Z",
                      "2024-05-31T00:00:00Z"}));
  EXPECT_EQ(first_dates("R/2024-02-29T00:00:00Z/P1Y", 5).back(),
            at("2028-02-29T00:00:00Z"));
}

TEST(Recurrence, StartsOnTheGridOfAStartInThePast) {
  const auto rule = parsed("R/2023-12-31T23:50:00Z/PT15M");
  EXPECT_EQ(*rule.first(), (occurrence{1, at("2023-12-31T23:50:00Z")}));
  EXPECT_EQ(rule.latest(*rule.first(), at("2024-01-01T00:19:59.999Z")),
            (occurrence{2, at("2024-01-01T00:05:00Z")}));
  EXPECT_EQ(rule.latest(*rule.first(), at("2024-01-01T00:20:00Z")),
            (occurrence{3, at("2024-01-01T00:20:00Z")}));
}

TEST(Recurrence, ReadsMinusOneAndNothingAsUnbounded) {
  for (const auto text : {"R/PT1H", "R-1/PT1H", "R//PT1H"}) {
    const auto rule = parsed(text);
    EXPECT_TRUE(rule.repeats());
    const occurrence late{3'000'000'000, at("2024-01-01T00:00:00Z")};
    EXPECT_TRUE(rule.next(late)) << text;
  }
  EXPECT_FALSE(recurrence::parse("R-2/PT1H", {}, {}));
}

TEST(Recurrence, RefusesToRepeatForEverWithoutGoingForward) {
  for (const auto text :
       {"R/PT0S", "R/P0D", "R/PT-1S", "R/-PT1S", "R/PT0.0005S", "R-1/PT0S",
        "R/2024-01-01T00:00:00Z/P0D", "R3/PT0S/2024-01-02T00:00:00Z",
        "R3/2024-01-02T00:00:00Z/2024-01-01T00:00:00Z", "R3/P1M-30D"})
    EXPECT_FALSE(recurrence::parse(text, {}, {})) << text;
}

TEST(Recurrence, RepeatsBackwardsIfBounded) {
  const auto rule = parsed("R3/-PT1H");
  EXPECT_EQ(due_dates(rule, 9),
            instants({"2023-12-31T23:00:00Z", "2023-12-31T22:00:00Z",
                      "2023-12-31T21:00:00Z"}));
  EXPECT_EQ(rule.latest(*rule.first(), at("2023-12-31T23:00:00Z"))->number, 3u);
}

TEST(Recurrence, IsOverIfTheEndIsBeforeTheAnchor) {
  const auto at_end = parsed("R3/PT1H/2024-01-01T00:00:00Z");
  EXPECT_EQ(*at_end.first(), (occurrence{1, at("2024-01-01T00:00:00Z")}));
  EXPECT_FALSE(at_end.next(*at_end.first()));
  const auto behind = parsed("R3/PT1H/2023-12-31T23:59:59.999Z");
  EXPECT_FALSE(behind.first());
  EXPECT_FALSE(behind.repeats());
}

TEST(Recurrence, EndsWhereMillisecondsDo) {
  const auto rule = parsed("R/P9999999Y");
  const auto dates = due_dates(rule, 100);
  EXPECT_EQ(dates.size(), 29u);
  EXPECT_EQ(rule.latest(*rule.first(), timestamp::max())->number, 29u);
  EXPECT_FALSE(recurrence::parse("R/P300000000Y", {}, {}));
  EXPECT_FALSE(recurrence::parse("P300000000Y", {}, {}));
}

TEST(Recurrence, FindsTheLatestOfMillionsOfMillions) {
  const auto rule = parsed("R/PT0.001S", "1970-01-01T00:00:00Z");
  const auto max = static_cast<std::uint64_t>(timestamp::max().value);
  const timestamp almost{timestamp::max().value - 1};
  EXPECT_EQ(rule.latest(*rule.first(), almost), (occurrence{max - 1, almost}));
}

TEST(Recurrence, HasNoLatestBeforeTheFirstIsDue) {
  const auto rule = parsed("R/PT1H");
  const auto first = *rule.first();
  EXPECT_FALSE(rule.latest(first, timestamp{first.due.value - 1}));
  EXPECT_EQ(rule.latest(first, first.due), first);
}

TEST(Recurrence, ReadsCronWithFiveFieldsIfAsked) {
  const auto anchor = at("2024-01-01T00:00:00Z");
  const auto rule = recurrence::parse("30 2 * * *", five_fields(), anchor);
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->first()->due, at("2024-01-01T02:30:00Z"));
  EXPECT_EQ(fault_of("0 0 2 * * *", five_fields()).offset, 10u);
  EXPECT_TRUE(recurrence::parse("@daily", five_fields(), anchor));
}

TEST(Recurrence, ExplainsWhyCronIsNeverDue) {
  const auto fault = fault_of("0 0 0 30 2 *");
  EXPECT_EQ(fault.offset, 6u);
  EXPECT_EQ(fault.found, "\"30 2 *\"");
  EXPECT_NE(fault.expected.find("never due"), std::string::npos);
  EXPECT_TRUE(recurrence::parse("0 0 0 29 2 *", {}, {}));
}

TEST(Recurrence, ReadsSpecialDaysOfCron) {
  EXPECT_EQ(first_dates("0 0 0 LW * *", 2),
            instants({"2024-01-31T00:00:00Z", "2024-02-29T00:00:00Z"}));
  EXPECT_EQ(first_dates("0 0 0 * * FRIL", 1),
            instants({"2024-01-26T00:00:00Z"}));
  EXPECT_EQ(first_dates("0 0 0 * * 7#1", 1),
            instants({"2024-01-07T00:00:00Z"}));
  EXPECT_EQ(first_dates("0 0 0 * * 5-7", 3),
            instants({"2024-01-05T00:00:00Z", "2024-01-06T00:00:00Z",
                      "2024-01-07T00:00:00Z"}));
  EXPECT_EQ(first_dates("0 0 0 * * FRI-SUN", 3),
            first_dates("0 0 0 * * 5-7", 3));
  EXPECT_EQ(first_dates("0 0 0 L-30 * *", 2),
            instants({"2024-03-01T00:00:00Z", "2024-05-01T00:00:00Z"}));
}

TEST(Recurrence, RefusesCronBeyondTheBoundsOfAField) {
  for (const auto text :
       {"0 0/0 * * * *", "0 */60 * * * *", "0 0 */24 * * *", "0 0 0 0W * *",
        "0 0 0 L-31 * *", "0 0 0 L-0 * *", "0 0 0 * * L", "0 0 0 * * 1#6",
        "0 0 0 * * FRI-MON", "0 0 0 ?,1 * *", "0 0 0 * 13 *", "0 0 0 * * 8"})
    EXPECT_FALSE(recurrence::parse(text, {}, {})) << text;
}

TEST(Recurrence, StaysWithinBoundsAtTheEdgesOfTime) {
  for (const auto anchor : {timestamp::min(), timestamp::max()}) {
    for (const auto text : {"0 0 0 1 1 *", "* * * * * *", "R/P1D", "R3/P1Y",
                            "R/PT1H/2024-01-01T00:00:00Z", "-P1D", "P1M"}) {
      recurrence_options options;
      options.default_zone = "Europe/Berlin";
      const auto rule = recurrence::parse(text, options, anchor);
      if (!rule || !rule->first())
        continue;
      EXPECT_TRUE(rule->latest(*rule->first(), timestamp::max())) << text;
      (void)rule->next(occurrence{7, timestamp::max()});
      (void)rule->next(occurrence{7, timestamp::min()});
    }
  }
}
