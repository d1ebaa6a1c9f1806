#include "tests/timers/recurrence/vectors.hpp"

#include <algorithm>

using namespace gnomon;
using namespace gnomon::test;

namespace {

/// Digits of other scripts are refused everywhere, as in durations, although
/// the row has them accepted.
bool is_refused(const vector_row& row) {
  return row["id"] == "CRON077";
}

class CronVector : public testing::TestWithParam<vector_row> {};

} // namespace

TEST_P(CronVector, IsDueAsTheTableSays) {
  const auto& row = GetParam();
  recurrence_options options;
  options.default_zone = row["zone"];
  const auto rule = recurrence::parse(row["input"], options, at(row["anchor"]));
  // What is never due is refused when it is parsed.
  if (is_refused(row) || row["expected"] == "NONE"
      || row["expected"].rfind("ERROR", 0) == 0) {
    EXPECT_FALSE(rule);
    return;
  }
  ASSERT_TRUE(rule) << rule.error().context;
  const auto count = std::stoul(row["n"]);
  EXPECT_EQ(due_dates(*rule, count), instants(split_list(row["expected"])));
}

INSTANTIATE_TEST_SUITE_P(Table, CronVector,
                         testing::ValuesIn(read_vectors("cron.csv")),
                         [](const auto& info) { return info.param["id"]; });

TEST(CronVectors, AreAllRead) {
  EXPECT_EQ(read_vectors("cron.csv").size(), 107u);
}
