#include "tests/timers/recurrence/vectors.hpp"
#include "tools/next.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace gnomon;
using namespace gnomon::test;
using gnomon::tools::next_request;
using gnomon::tools::to_rfc3339;

namespace {

/// What one run of the command printed.
struct printed {
  int status = 0;
  std::string out;
  std::string errors;
};

printed run(const next_request& request) {
  std::ostringstream out;
  std::ostringstream errors;
  const auto now = at("2024-01-01T00:00:00Z");
  const auto status = run_next(request, now, out, errors);
  return {status, out.str(), errors.str()};
}

/// A row of a table in the guide: cells without back-ticks and blanks.
std::vector<std::string> table_cells(const std::string& line) {
  std::vector<std::string> result;
  std::string cell;
  for (const char c : line.substr(1)) {
    if (c != '|') {
      if (c != '`')
        cell += c;
      continue;
    }
    const auto begin = cell.find_first_not_of(' ');
    const auto end = cell.find_last_not_of(' ') + 1;
    result.push_back(end == 0 ? "" : cell.substr(begin, end - begin));
    cell.clear();
  }
  return result;
}

} // namespace

TEST(Next, PrintsOneDueDateALine) {
  const auto result = run({.expression = "R/PT12H", .count = 2});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "2024-01-01T12:00:00.000Z\n2024-01-02T00:00:00.000Z\n");
  EXPECT_EQ(result.errors, "");
}

TEST(Next, SaysNoneWhereTheSequenceEnds) {
  EXPECT_EQ(run({.expression = "PT1H", .count = 1}).out,
            "2024-01-01T01:00:00.000Z\n");
  EXPECT_EQ(run({.expression = "PT1H", .count = 2}).out,
            "2024-01-01T01:00:00.000Z\nnone\n");
  EXPECT_EQ(run({.expression = "R/PT1H/2023-01-01T00:00:00Z"}).out, "none\n");
}

TEST(Next, PutsACaretUnderTheFault) {
  const auto result = run({.expression = "0 0 25 * * *"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.errors, "0 0 25 * * *\n"
                           "    ^\n"
                           "expected hour from 0 to 23, but found \"25\"\n");
}

TEST(Next, PutsTheCaretBehindTheEndIfSomethingIsMissing) {
  EXPECT_EQ(run({.expression = "PT"}).errors,
            "PT\n  ^\nexpected a number, but found the end\n");
}

TEST(Next, KeepsTheFaultInSightOfALongExpression) {
  const auto result = run({.expression = "P" + std::string(5000, '1') + "X"});
  EXPECT_LT(result.errors.size(), 600u);
  EXPECT_NE(result.errors.find("^"), std::string::npos);
  const auto control = run({.expression = "PT\n1H"});
  EXPECT_EQ(control.errors.substr(0, 10), "PT 1H\n  ^\n");
}

TEST(Next, StartsWhereItIsTold) {
  EXPECT_EQ(run({.expression = "@daily",
                 .zone = "Europe/Berlin",
                 .from = "2024-07-01T12:00:00+02:00",
                 .count = 1})
              .out,
            "2024-07-01T22:00:00.000Z\n");
  for (const auto from : {"PT1H", "yesterday", "@daily", "-P1D"})
    EXPECT_EQ(run({.expression = "@daily", .from = from}).status, 2) << from;
}

TEST(Next, NamesAZoneThatDoesNotExist) {
  const auto result = run({.expression = "@daily", .zone = "Mars/Olympus"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("Mars/Olympus"), std::string::npos);
}

TEST(Next, ReadsFiveFieldsIfAsked) {
  const next_request request{
    .expression = "30 2 * * *", .cron_five_fields = true, .count = 1};
  EXPECT_EQ(run(request).out, "2024-01-01T02:30:00.000Z\n");
}

TEST(Next, RendersTheEdgesOfTime) {
  EXPECT_EQ(to_rfc3339(timestamp{-1}), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(to_rfc3339(at("9999-12-31T23:59:59.999Z")),
            "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(to_rfc3339(at("+10000-01-01T00:00:00Z")),
            "+10000-01-01T00:00:00.000Z");
  EXPECT_EQ(to_rfc3339(timestamp::max()), "+292278994-08-17T07:12:55.807Z");
  EXPECT_EQ(to_rfc3339(timestamp::min()), "-292275055-05-16T16:47:04.192Z");
}

TEST(Guide, ShowsWhatTheToolPrints) {
  std::ifstream in{GNOMON_GUIDE};
  ASSERT_TRUE(in);
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| `", 0) != 0)
      continue;
    const auto cells = table_cells(line);
    ASSERT_EQ(cells.size(), 5u) << line;
    const next_request request{
      .expression = cells[0], .zone = cells[1], .from = cells[2], .count = 3};
    auto out = run(request).out;
    std::replace(out.begin(), out.end(), '\n', ' ');
    EXPECT_EQ(out, cells[3] + " ") << line;
    ++rows;
  }
  EXPECT_GT(rows, 20);
}
