#include "timers/put_off_entries.hpp"

#include <gtest/gtest.h>

namespace gnomon::timers {

namespace {

due_entry entry(std::uint64_t number) {
  due_entry result;
  result.due = {0};
  result.value_type = value_type{1};
  result.key = {number};
  return result;
}

constexpr put_off_limits limits{duration{100}, duration{1000}, 3};

} // namespace

TEST(PutOffEntries, HoldAnEntryForTheShortestTimeFirst) {
  put_off_entries entries{limits};
  EXPECT_FALSE(entries.is_put_off(entry(1), {50}));
  entries.put_off(entry(1), {50});
  EXPECT_TRUE(entries.is_put_off(entry(1), {149}));
  EXPECT_FALSE(entries.is_put_off(entry(1), {150}));
  EXPECT_FALSE(entries.is_put_off(entry(2), {149}));
}

TEST(PutOffEntries, DoubleTheTimeUpToTheLongest) {
  put_off_entries entries{limits};
  std::int64_t now = 0;
  for (std::int64_t wanted : {100, 200, 400, 800, 1000, 1000}) {
    entries.put_off(entry(1), {now});
    EXPECT_EQ(entries.next_attempt({now}), timestamp{now + wanted});
    now += wanted;
  }
}

TEST(PutOffEntries, StartAnewForAnEntryThatWasForgotten) {
  put_off_entries entries{limits};
  entries.put_off(entry(1), {0});
  entries.put_off(entry(1), {100});
  entries.forget(entry(1));
  entries.forget(entry(2));
  EXPECT_EQ(entries.size(), 0u);
  EXPECT_FALSE(entries.is_put_off(entry(1), {100}));
  entries.put_off(entry(1), {100});
  EXPECT_EQ(entries.next_attempt({100}), timestamp{200});
}

TEST(PutOffEntries, TellTheNextAttemptStillToCome) {
  put_off_entries entries{limits};
  EXPECT_EQ(entries.next_attempt({0}), std::nullopt);
  entries.put_off(entry(1), {0});
  entries.put_off(entry(2), {30});
  EXPECT_EQ(entries.next_attempt({30}), timestamp{100});
  EXPECT_EQ(entries.next_attempt({100}), timestamp{130});
  EXPECT_EQ(entries.next_attempt({130}), std::nullopt);
}

TEST(PutOffEntries, HoldAllOthersForAWhileWhenFull) {
  put_off_entries entries{limits};
  for (std::uint64_t i = 1; i <= 3; ++i)
    entries.put_off(entry(i), {0});
  EXPECT_FALSE(entries.is_put_off(entry(4), {0}));
  entries.put_off(entry(4), {0});
  EXPECT_EQ(entries.size(), 3u);
  EXPECT_TRUE(entries.is_put_off(entry(4), {99}));
  EXPECT_TRUE(entries.is_put_off(entry(5), {99}));
  EXPECT_EQ(entries.next_attempt({0}), timestamp{100});
  EXPECT_FALSE(entries.is_put_off(entry(4), {100}));
}

TEST(PutOffEntries, DropAbandonedOnesToMakeRoom) {
  put_off_entries entries{limits};
  for (std::uint64_t i = 1; i <= 3; ++i)
    entries.put_off(entry(i), {0});
  entries.put_off(entry(4), {1100});
  EXPECT_EQ(entries.size(), 3u)
    << "one millisecond too soon to give up on them";
  entries.put_off(entry(4), {1101});
  EXPECT_EQ(entries.size(), 1u);
}

TEST(PutOffEntries, SurviveTheEndOfTime) {
  put_off_entries entries{limits};
  entries.put_off(entry(1), timestamp::max());
  EXPECT_FALSE(entries.is_put_off(entry(1), timestamp::max()));
}

} // namespace gnomon::timers
