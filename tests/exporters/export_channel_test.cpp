#include <gtest/gtest.h>

#include "exporters/export_channel.hpp"

namespace gnomon::exporters {

namespace {

/// Reads up to `last` and returns the number of the batch.
std::uint64_t read_up_to(export_channel& channel, std::uint64_t last,
                         std::size_t bytes = 10) {
  const auto order = channel.begin_read({100});
  EXPECT_TRUE(order);
  const auto number = channel.end_read(*order, {{last}, 1, bytes});
  EXPECT_TRUE(number);
  return number.value_or(0);
}

} // namespace

TEST(ExportChannel, ReadsBehindWhatIsAcknowledgedUpToTheDurablePosition) {
  export_channel channel{position{7}};
  EXPECT_FALSE(channel.begin_read({7}));
  const auto order = channel.begin_read({8});
  ASSERT_TRUE(order);
  EXPECT_EQ(order->from, position{8});
}

TEST(ExportChannel, ReadsOnceAtATime) {
  export_channel channel{position{}};
  ASSERT_TRUE(channel.begin_read({5}));
  EXPECT_FALSE(channel.begin_read({5}));
}

TEST(ExportChannel, CountsAnAnswerOnceAllBeforeItAreThere) {
  export_channel channel{position{}};
  const auto first = read_up_to(channel, 3);
  const auto second = read_up_to(channel, 5);
  channel.acknowledge(second);
  EXPECT_EQ(channel.acknowledged(), position{});
  channel.acknowledge(first);
  EXPECT_EQ(channel.acknowledged(), position{5});
  EXPECT_EQ(channel.bytes_acknowledged(), 20u);
}

TEST(ExportChannel, StopsAtTheLimitOfBatches) {
  export_channel channel{position{}, {.batches_max = 2}};
  const auto first = read_up_to(channel, 1);
  EXPECT_TRUE(channel.begin_read({100}));
  channel.restart();
  read_up_to(channel, 1);
  read_up_to(channel, 2);
  EXPECT_FALSE(channel.begin_read({100}));
  EXPECT_FALSE(channel.expects(first));
}

TEST(ExportChannel, StopsAtTheLimitOfBytesAndGoesOnBelow) {
  export_channel channel{position{}, {.batches_max = 9, .bytes_max = 20}};
  const auto first = read_up_to(channel, 1, 19);
  read_up_to(channel, 2, 1);
  EXPECT_FALSE(channel.begin_read({100}));
  channel.acknowledge(first);
  EXPECT_TRUE(channel.begin_read({100}));
}

TEST(ExportChannel, AcknowledgesByItselfWhatIsFilteredOut) {
  export_channel channel{position{}};
  const auto order = channel.begin_read({9});
  EXPECT_FALSE(channel.end_read(*order, {{9}, 0, 0}));
  EXPECT_EQ(channel.acknowledged(), position{9});
}

TEST(ExportChannel, LetsWhatIsFilteredOutWaitForTheBatchBefore) {
  export_channel channel{position{}};
  const auto number = read_up_to(channel, 3);
  const auto order = channel.begin_read({9});
  EXPECT_FALSE(channel.end_read(*order, {{9}, 0, 0}));
  EXPECT_EQ(channel.acknowledged(), position{});
  channel.acknowledge(number);
  EXPECT_EQ(channel.acknowledged(), position{9});
}

TEST(ExportChannel, ReadsAgainAfterARestartAndIgnoresWhatIsStale) {
  export_channel channel{position{2}};
  const auto number = read_up_to(channel, 5);
  const auto stale = channel.begin_read({100});
  channel.restart();
  channel.acknowledge(number);
  EXPECT_EQ(channel.acknowledged(), position{2});
  const auto order = channel.begin_read({100});
  ASSERT_TRUE(order);
  EXPECT_EQ(order->from, position{3});
  EXPECT_FALSE(channel.end_read(*stale, {{9}, 1, 10}));
  EXPECT_TRUE(channel.end_read(*order, {{4}, 1, 10}));
  EXPECT_EQ(channel.unacknowledged_batches(), 1u);
}

} // namespace gnomon::exporters
