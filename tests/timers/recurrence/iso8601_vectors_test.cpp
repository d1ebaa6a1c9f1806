#include "tests/timers/recurrence/vectors.hpp"

#include <algorithm>
#include <set>

using namespace gnomon;
using namespace gnomon::test;

namespace {

/// Rows whose column `expected` shows what another policy makes of late
/// triggers or of a start in the past. Here these are due on the grid, as the
/// column `start_anchored` says; who misses what is for catching up to decide.
bool is_policy_of_others(const vector_row& row) {
  static const std::set<std::string> ids{"ISO210", "ISO211", "ISO231", "ISO232",
                                         "ISO233"};
  return ids.count(row["id"]) > 0;
}

/// Rows that are refused here, as their notes recommend.
bool is_refused(const vector_row& row) {
  return row["id"] == "ISO180";
}

std::vector<timestamp> expected_due_dates(const vector_row& row) {
  if (!row["start_anchored"].empty())
    return instants(split_list(row["start_anchored"]));
  std::vector<timestamp> result;
  for (const auto& ms : split_list(row["expected_epoch_ms"]))
    result.push_back({std::stoll(ms)});
  return result;
}

class Iso8601Vector : public testing::TestWithParam<vector_row> {};

} // namespace

TEST_P(Iso8601Vector, IsDueAsTheTableSays) {
  const auto& row = GetParam();
  recurrence_options options;
  options.default_zone = row["default_zone"];
  const auto rule
    = recurrence::parse(row["input"], options, at(row["anchor_or_now"]));
  if (is_refused(row) || row["expected"].rfind("ERROR", 0) == 0) {
    EXPECT_FALSE(rule);
    return;
  }
  ASSERT_TRUE(rule) << rule.error().context;
  EXPECT_EQ(due_dates(*rule, std::stoul(row["n"])), expected_due_dates(row));
}

TEST_P(Iso8601Vector, DeviatesFromExpectedOnlyWhereListed) {
  const auto& row = GetParam();
  const bool deviates = !row["start_anchored"].empty()
                        && row["start_anchored"] != row["expected"];
  const bool has_calendar_parts = row["input"].find("/P1") != std::string::npos;
  if (!deviates || is_refused(row))
    return;
  EXPECT_TRUE(is_policy_of_others(row) || has_calendar_parts);
}

INSTANTIATE_TEST_SUITE_P(Table, Iso8601Vector,
                         testing::ValuesIn(read_vectors("iso8601.csv")),
                         [](const auto& info) { return info.param["id"]; });

TEST(Iso8601Vectors, AreAllRead) {
  EXPECT_EQ(read_vectors("iso8601.csv").size(), 170u);
}
