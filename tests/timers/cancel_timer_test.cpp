#include "tests/timers/timer_fixture.hpp"

namespace gnomon::testing {

TEST(CancelTimer, RemovesEverythingOfTheTimer) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  const auto outcome = partition.cancel(about);
  ASSERT_EQ(outcome.size(), 1u);
  EXPECT_TRUE(
    is_event(outcome[0], value_type::timer, v1::TIMER_INTENT_CANCELED));
  EXPECT_EQ(outcome[0].key, about);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CancelTimer, FindsTheTimerByItsName) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_due_ms(start.value);
  value.set_name("reminder");
  const auto about = partition.create(value)[0].key;
  const auto outcome = partition.cancel({}, "reminder");
  EXPECT_EQ(outcome[0].key, about);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CancelTimer, FreesTheNameOfATimerCanceledByKey) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_due_ms(start.value);
  value.set_name("reminder");
  partition.cancel(partition.create(value)[0].key);
  EXPECT_TRUE(partition.state_.entries.empty());
  EXPECT_EQ(partition.create(value)[0].record_type, record_type::event);
}

TEST(CancelTimer, IsRejectedIfThereIsNoSuchTimer) {
  timer_partition partition;
  expect_rejection(partition.cancel({77}), rejection_type::not_found, "key 77");
  expect_rejection(partition.cancel({}, "x"), rejection_type::not_found,
                   "name \"x\"");
  expect_rejection(partition.cancel({}), rejection_type::invalid_argument,
                   "neither");
}

TEST(CancelTimer, IsRejectedTheSecondTime) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  partition.cancel(about);
  expect_rejection(partition.cancel(about), rejection_type::not_found, "");
}

TEST(CancelTimer, IsRejectedOnceTheTimerHasTriggered) {
  timer_partition partition;
  const auto about = partition.create_due(start);
  partition.trigger(about, start);
  expect_rejection(partition.cancel(about), rejection_type::not_found, "");
  EXPECT_EQ(partition.triggered().size(), 1u);
}

TEST(CancelTimer, WinsOverATriggerThatWasProposedBefore) {
  timer_partition partition;
  const auto about = partition.create_due(start);
  partition.cancel(about, {}, start);
  expect_rejection(partition.trigger(about, start), rejection_type::not_found,
                   "");
  EXPECT_TRUE(partition.triggered().empty());
}

TEST(CancelTimer, TouchesOnlyTheOneOfTwoThatAreDueTogether) {
  timer_partition partition;
  const auto first = partition.create_due(start);
  const auto second = partition.create_due(start);
  partition.cancel(first);
  const auto outcome = partition.trigger_due(start);
  ASSERT_EQ(outcome.size(), 2u);
  EXPECT_EQ(outcome[0].key, second);
}

TEST(CancelTimer, OfTenFromTwentyLeavesTheOthers) {
  timer_partition partition;
  std::vector<key> keys;
  for (int i = 0; i < 20; ++i)
    keys.push_back(partition.create_due(start));
  for (std::size_t i = 0; i < keys.size(); i += 2)
    partition.cancel(keys[i]);
  partition.state_.entries = partition.replayed();
  partition.trigger_due(start);
  EXPECT_EQ(partition.triggered().size(), 10u);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CancelTimer, EndsATimerBetweenTwoOccurrences) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  partition.trigger_due(start + minute);
  partition.cancel(about, {}, start + minute);
  EXPECT_TRUE(partition.state_.entries.empty());
  EXPECT_TRUE(partition.trigger_due(start + hour).empty());
}

} // namespace gnomon::testing
