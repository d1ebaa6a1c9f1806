#include "engine/key_generator.hpp"
#include "engine/partition_time.hpp"
#include "engine/retry_strategy.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::engine;

TEST(KeyGenerator, PutsThePartitionAboveTheCounter) {
  key_generator keys{{5}};
  const auto first = keys.draw();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->value, (std::uint64_t{5} << 51) + 1);
  EXPECT_EQ(first->owner(), partition_id{5});
  EXPECT_EQ(keys.draw()->counter(), 2u);
  EXPECT_EQ(keys.next_counter(), 3u);
}

TEST(KeyGenerator, EndsAtItsLastKey) {
  key_generator keys{{8191}, key::counter_max};
  const auto last = keys.draw();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->value, ~std::uint64_t{0});
  EXPECT_FALSE(keys.draw());
  EXPECT_TRUE(key_generator::valid_counter(keys.next_counter()));
}

TEST(KeyGenerator, KnowsWhichCountersCanBe) {
  EXPECT_FALSE(key_generator::valid_counter(0));
  EXPECT_TRUE(key_generator::valid_counter(1));
  EXPECT_TRUE(key_generator::valid_counter(key::counter_max + 1));
  EXPECT_FALSE(key_generator::valid_counter(key::counter_max + 2));
}

TEST(PartitionTime, FollowsTheWallClockButNeverBack) {
  partition_time time{{100}};
  EXPECT_EQ(time.advance({99}), timestamp{100});
  EXPECT_EQ(time.advance({100}), timestamp{100});
  EXPECT_EQ(time.at({101}), timestamp{101});
  EXPECT_EQ(time.last, timestamp{100});
  EXPECT_EQ(time.advance({101}), timestamp{101});
}

TEST(Recoverable, DoublesTheWaitUpToItsLimit) {
  recoverable retries{6, duration{100}, duration{500}};
  EXPECT_EQ(retries.failed(), duration{100});
  EXPECT_EQ(retries.failed(), duration{200});
  EXPECT_EQ(retries.failed(), duration{400});
  EXPECT_EQ(retries.failed(), duration{500});
  EXPECT_EQ(retries.failed(), duration{500});
  EXPECT_EQ(retries.failed(), std::nullopt);
  retries.reset();
  EXPECT_EQ(retries.failed(), duration{100});
}

TEST(Reason, IsCutBetweenCharacters) {
  EXPECT_EQ(shortened(std::string(1'024, 'x')).size(), 1'024u);
  EXPECT_EQ(shortened(std::string(1'025, 'x')).size(), 1'024u);
  const auto cut = shortened(std::string(1'023, 'x') + "\xC3\xA4");
  EXPECT_EQ(cut, std::string(1'023, 'x'));
}
