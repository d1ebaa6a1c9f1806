#include "timers/due_date_checker.hpp"
#include "timers/put_off_entries.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

namespace gnomon::timers {

namespace {

/// Column families in a map.
class memory_index final : public state_transaction {
public:
  std::optional<bytes_view> get(column_family family,
                                bytes_view key) const override {
    const auto i = entries_.find({family, bytes{key}});
    if (i == entries_.end())
      return std::nullopt;
    return i->second;
  }

  void visit(column_family family, bytes_view from,
             const state_visitor& visitor) const override {
    for (auto i = entries_.lower_bound({family, bytes{from}});
         i != entries_.end() && i->first.first == family; ++i)
      if (!visitor(i->first.second, i->second))
        return;
  }

  std::uint64_t count(column_family) const override {
    return entries_.size();
  }

  const std::optional<error>& failure() const override {
    return failure_;
  }

  void put(column_family family, bytes_view key, bytes_view value) override {
    entries_.insert_or_assign({family, bytes{key}}, bytes{value});
  }

  bool erase(column_family family, bytes_view key) override {
    return entries_.erase({family, bytes{key}}) > 0;
  }

private:
  std::map<std::pair<column_family, bytes>, bytes> entries_;
  std::optional<error> failure_;
};

due_entry entry(std::int64_t due, std::uint64_t number) {
  due_entry result;
  result.due = {due};
  result.value_type = value_type{1};
  result.key = {number};
  return result;
}

struct DueDateChecker : ::testing::Test {
  memory_index state;

  void add(std::int64_t due, std::uint64_t number) {
    due_index::add(state, entry(due, number));
  }

  due_check check(std::int64_t now, std::size_t count_max = 1000,
                  const skip_due_entry& skip = {}) {
    return check_due_dates(state, {now}, {count_max}, skip);
  }
};

} // namespace

TEST_F(DueDateChecker, FindsNothingInAnEmptyIndex) {
  EXPECT_EQ(check(100), due_check{});
}

TEST_F(DueDateChecker, LooksAgainWhenFarEntriesAreToBePromoted) {
  const auto day = due_index::day.count();
  const auto promotion = day - due_index::promotion_lead.count();
  due_index::add(state, entry(day + 7, 1), {0});
  EXPECT_EQ(check(0).look_again, timestamp{promotion});
  EXPECT_EQ(check(promotion).look_again, timestamp{promotion});
  add(promotion - 1, 2);
  EXPECT_EQ(check(0).look_again, timestamp{promotion - 1});
}

TEST_F(DueDateChecker, LeavesADayAloneThatStillHasFarEntries) {
  const auto day = due_index::day.count();
  add(day - 1, 1);
  add(day + 5, 2);
  due_index::add(state, entry(day + 4, 3), {0});
  const auto found = check(day + 9);
  ASSERT_EQ(found.due.size(), 1u);
  EXPECT_EQ(found.due[0].key.value, 1u);
  EXPECT_FALSE(found.more);
  due_index::promote(state, 1);
  ASSERT_EQ(check(day + 9).due.size(), 3u);
  EXPECT_EQ(check(day + 9).due[1].key.value, 3u);
}

TEST_F(DueDateChecker, FindsAnEntryAtItsDueDateAndNotBefore) {
  add(100, 1);
  EXPECT_EQ(check(99), (due_check{{}, timestamp{100}, false}));
  EXPECT_EQ(check(100), (due_check{{entry(100, 1)}, std::nullopt, false}));
}

TEST_F(DueDateChecker, FindsTheOldestFirst) {
  add(30, 1);
  add(10, 3);
  add(10, 2);
  add(-5, 4);
  add(31, 5);
  const auto found = check(30);
  EXPECT_EQ(found.due, (std::vector{entry(-5, 4), entry(10, 2), entry(10, 3),
                                    entry(30, 1)}));
  EXPECT_EQ(found.look_again, timestamp{31});
  EXPECT_FALSE(found.more);
}

TEST_F(DueDateChecker, LooksAgainAtOnceIfMoreIsDueThanFits) {
  add(10, 1);
  add(20, 2);
  EXPECT_EQ(check(50, 1), (due_check{{entry(10, 1)}, timestamp{50}, true}));
  EXPECT_EQ(check(50, 2).look_again, std::nullopt);
  add(60, 3);
  EXPECT_EQ(check(50, 2).look_again, timestamp{60});
  EXPECT_FALSE(check(50, 2).more);
}

TEST_F(DueDateChecker, PassesOverWhatIsUnderWay) {
  add(10, 1);
  add(20, 2);
  add(60, 3);
  auto skip = [](const due_entry& what) {
    return what.key.value == 1;
  };
  EXPECT_EQ(check(50, 1, skip),
            (due_check{{entry(20, 2)}, timestamp{60}, false}));
  EXPECT_EQ(check(15, 1, skip), (due_check{{}, timestamp{20}, false}));
}

TEST_F(DueDateChecker, DoesNotLookAgainForWhatIsSkipped) {
  add(10, 1);
  auto skip = [](const due_entry&) {
    return true;
  };
  EXPECT_EQ(check(50, 1, skip), due_check{});
}

TEST_F(DueDateChecker, VisitsAllInBatchesWithoutLossOrRepeat) {
  for (std::uint64_t i = 1; i <= 100; ++i)
    add(static_cast<std::int64_t>(i * 37 % 50), i);
  std::set<due_entry> under_way;
  auto skip = [&](const due_entry& x) {
    return under_way.contains(x);
  };
  for (auto found = check(49, 7, skip);; found = check(49, 7, skip)) {
    for (const auto& x : found.due)
      EXPECT_TRUE(under_way.insert(x).second);
    if (!found.more)
      break;
  }
  EXPECT_EQ(under_way.size(), 100u);
}

TEST(ArmAt, IsNeverBeforeTheDueDate) {
  EXPECT_EQ(arm_at({1000}, {0}, duration{100}), timestamp{1000});
}

TEST(ArmAt, IsNeverWithinOneResolutionOfTheLastCheck) {
  EXPECT_EQ(arm_at({501}, {500}, duration{100}), timestamp{600});
  EXPECT_EQ(arm_at({600}, {500}, duration{100}), timestamp{600});
  EXPECT_EQ(arm_at({601}, {500}, duration{100}), timestamp{601});
  EXPECT_EQ(arm_at({3}, {500}, duration{100}), timestamp{600}) << "known late";
}

TEST(ArmAt, SaturatesAtTheEndOfTime) {
  EXPECT_EQ(arm_at({3}, timestamp::max(), duration{100}), timestamp::max());
}

// The promise of one resolution, for each due date and each moment it may
// become known, with checks as early as allowed.
TEST(ArmAt, KeepsLatenessWithinOneResolution) {
  constexpr std::int64_t resolution = 10;
  constexpr std::int64_t last_check = 100;
  for (std::int64_t known = last_check; known <= 140; ++known) {
    for (std::int64_t due = 80; due <= 140; ++due) {
      const auto armed = arm_at({due}, {last_check}, duration{resolution});
      const auto checked = std::max(armed.value, known);
      EXPECT_GE(checked, due);
      EXPECT_LE(checked, std::max(due, known) + resolution);
    }
  }
}

} // namespace gnomon::timers
