#include "gnomon/due_index.hpp"
#include "tests/support/memory_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

using namespace gnomon;

namespace {

const auto day = due_index::day.count();
const auto lead = due_index::promotion_lead.count();

due_entry entry(std::int64_t due, std::uint64_t number = 1) {
  return {{due}, value_type::timer, {7}, {number}};
}

class DueIndex : public ::testing::Test {
protected:
  void add(const due_entry& what, std::int64_t now) {
    due_index::add(*state, what, {now});
  }

  std::vector<due_entry> near() const {
    std::vector<due_entry> result;
    due_index::visit_near(*state, {timestamp::min()}, [&](const auto& found) {
      result.push_back(found);
      return true;
    });
    return result;
  }

  std::vector<due_entry> far(timestamp from = timestamp::min()) const {
    std::vector<due_entry> result;
    due_index::visit_far(*state, from, [&](const auto& found) {
      result.push_back(found);
      return true;
    });
    return result;
  }

  test::memory_state states;
  std::unique_ptr<storage::write_transaction> state = *states.begin();
};

} // namespace

TEST_F(DueIndex, FilesByTheDayWhatIsDueOnALaterOne) {
  add(entry(day, 1), -lead - 1 + day);
  add(entry(day, 2), -lead + day);
  EXPECT_EQ(far(), std::vector{entry(day, 1)});
  EXPECT_EQ(near(), std::vector{entry(day, 2)});
}

TEST_F(DueIndex, KeepsAnEntryNearUnlessToldTheTime) {
  due_index::add(*state, entry(400 * day));
  EXPECT_TRUE(far().empty());
}

TEST_F(DueIndex, KeepsEntriesNearThatAreOverdue) {
  add(entry(day), 3 * day);
  add(entry(-day), 3 * day);
  EXPECT_EQ(near(), (std::vector{entry(-day), entry(day)}));
}

TEST_F(DueIndex, RemovesAnEntryFromEitherLevel) {
  add(entry(5, 1), 0);
  add(entry(9 * day, 2), 0);
  EXPECT_EQ(due_index::count(*state), 2u);
  EXPECT_FALSE(due_index::remove(*state, entry(5, 2)));
  EXPECT_FALSE(due_index::remove(*state, entry(9 * day, 1)));
  EXPECT_TRUE(due_index::remove(*state, entry(5, 1)));
  EXPECT_TRUE(due_index::remove(*state, entry(9 * day, 2)));
  EXPECT_EQ(due_index::count(*state), 0u);
}

TEST_F(DueIndex, PromotesADayFromItsLeadOn) {
  add(entry(2 * day + 7, 1), 0);
  add(entry(3 * day, 2), 0);
  EXPECT_EQ(due_index::first_far_day(*state), timestamp{2 * day});
  EXPECT_EQ(due_index::next_promotion(*state), timestamp{2 * day - lead});
  EXPECT_EQ(due_index::promotable(*state, {2 * day - lead - 1}, 10), 0u);
  EXPECT_EQ(due_index::promotable(*state, {2 * day - lead}, 10), 1u);
  EXPECT_EQ(due_index::promotable(*state, {9 * day}, 10), 2u);
  EXPECT_EQ(due_index::promotable(*state, {9 * day}, 1), 1u);
  due_index::promote(*state, 1);
  EXPECT_EQ(near(), std::vector{entry(2 * day + 7, 1)});
  EXPECT_EQ(due_index::first_far_day(*state), timestamp{3 * day});
}

TEST_F(DueIndex, FindsTheFirstEntryOfBothLevels) {
  EXPECT_EQ(due_index::first(*state), std::nullopt);
  add(entry(3 * day + 9, 1), 0);
  add(entry(3 * day + 5, 2), 0);
  add(entry(4 * day, 3), 0);
  EXPECT_EQ(due_index::first(*state), entry(3 * day + 5, 2));
  due_index::add(*state, entry(3 * day + 6, 4));
  EXPECT_EQ(due_index::first(*state), entry(3 * day + 5, 2));
  due_index::add(*state, entry(8, 5));
  EXPECT_EQ(due_index::first(*state), entry(8, 5));
}

TEST_F(DueIndex, BeginsAVisitOfFarEntriesWithTheDayOfTheirDueDate) {
  add(entry(2 * day - 1, 1), -day);
  add(entry(2 * day, 2), -day);
  EXPECT_EQ(far({2 * day + 5}), std::vector{entry(2 * day, 2)});
  EXPECT_EQ(far({2 * day - 1}).size(), 2u);
}

TEST_F(DueIndex, TakesDueDatesAtBothEndsOfTime) {
  const auto first = entry(timestamp::min().value, 1);
  const auto last = entry(timestamp::max().value, 2);
  add(first, 0);
  add(last, 0);
  add(entry(-1, 3), -2 * day);
  EXPECT_EQ(near(), std::vector{first});
  EXPECT_EQ(far(), (std::vector{entry(-1, 3), last}));
  due_index::promote(*state, 9);
  EXPECT_EQ(near(), (std::vector{first, entry(-1, 3), last}));
  EXPECT_TRUE(due_index::remove(*state, last));
}

TEST_F(DueIndex, IsASortedSetWhateverIsPromotedWhen) {
  std::mt19937_64 random{42};
  std::set<due_entry> model;
  std::int64_t now = -3 * day;
  for (int i = 0; i < 20'000; ++i) {
    const auto due = static_cast<std::int64_t>(random() % (9 * day)) - 4 * day;
    const auto what = entry(due - due % (day / 8), random() % 4);
    switch (random() % 4) {
    case 0:
      ASSERT_EQ(due_index::remove(*state, what), model.erase(what) > 0);
      break;
    case 1:
      now += static_cast<std::int64_t>(random() % 60'000);
      due_index::promote(*state, due_index::promotable(*state, {now}, 3));
      break;
    default:
      // An entry that is there is not added again at another time.
      if (model.insert(what).second)
        add(what, now);
    }
    ASSERT_EQ(due_index::count(*state), model.size());
    const auto first = due_index::first(*state);
    ASSERT_EQ(first.has_value(), !model.empty());
    if (first) {
      ASSERT_EQ(first->due, model.begin()->due);
    }
  }
  due_index::promote(*state, 20'000);
  EXPECT_TRUE(std::ranges::equal(near(), model));
}
