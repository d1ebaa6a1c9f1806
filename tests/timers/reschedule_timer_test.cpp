#include "tests/timers/timer_fixture.hpp"

namespace gnomon::testing {

namespace {

v1::TimerTriggered first_triggered(const std::vector<record>& outcome) {
  for (const auto& each : outcome)
    if (is_event(each, value_type::timer, v1::TIMER_INTENT_TRIGGERED))
      return parse<v1::TimerTriggered>(each);
  ADD_FAILURE() << "nothing has triggered";
  return {};
}

} // namespace

TEST(RescheduleTimer, MovesTheDueDateAndKeepsTheKey) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  const auto outcome = partition.reschedule_due(about, start + minute);
  ASSERT_EQ(outcome.size(), 1u);
  EXPECT_TRUE(
    is_event(outcome[0], value_type::timer, v1::TIMER_INTENT_RESCHEDULED));
  EXPECT_EQ(outcome[0].key, about);
  const auto rescheduled = parse<v1::TimerRescheduled>(outcome[0]);
  EXPECT_EQ(rescheduled.due_ms(), (start + minute).value);
  EXPECT_EQ(rescheduled.occurrence(), 1u);
  EXPECT_EQ(partition.next_due(), start + minute);
  EXPECT_EQ(due_index::count(partition.view()), 1u);
}

TEST(RescheduleTimer, TriggersAtTheNewDueDateOnlyEvenIfItIsLater) {
  timer_partition partition;
  const auto about = partition.create_due(start + minute);
  partition.reschedule_due(about, start + hour);
  expect_rejection(partition.trigger(about, start + minute),
                   rejection_type::invalid_state, "due at");
  expect_rejection(partition.trigger(about, start + hour + -ms),
                   rejection_type::invalid_state, "due at");
  EXPECT_EQ(first_triggered(partition.trigger(about, start + hour)).due_ms(),
            (start + hour).value);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(RescheduleTimer, TakesADueDateInThePast) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  partition.reschedule_due(about, start + -hour);
  EXPECT_EQ(first_triggered(partition.trigger_due(start)).due_ms(),
            (start + -hour).value);
}

TEST(RescheduleTimer, GoesOnCountingOccurrences) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  partition.trigger_due(start + minute);
  partition.trigger_due(start + 2 * minute);
  const auto now = start + 2 * minute;
  partition.reschedule_repeating(about, "R/PT1H", now);
  const auto third = first_triggered(partition.trigger_due(now + hour));
  EXPECT_EQ(third.occurrence(), 3u);
  EXPECT_EQ(third.due_ms(), (now + hour).value);
  EXPECT_EQ(third.next_occurrence(), 4u);
  EXPECT_EQ(third.next_due_ms(), (now + 2 * hour).value);
  const auto fourth = first_triggered(partition.trigger_due(now + 2 * hour));
  EXPECT_EQ(fourth.occurrence(), 4u);
}

TEST(RescheduleTimer, ForgetsHowManyWereCaughtUp) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  partition.trigger_due(start + hour);
  ASSERT_EQ(timers::find_timer(partition.view(), about)->caught_up, 1u);
  partition.reschedule_repeating(about, "R/PT1H", start + hour);
  EXPECT_EQ(timers::find_timer(partition.view(), about)->caught_up, 0u);
}

TEST(RescheduleTimer, StartsFromTheTimeOfTheCommand) {
  timer_partition partition;
  const auto about = partition.create_repeating("0 0 12 * * *");
  const auto now = start + 18 * hour;
  partition.reschedule_repeating(about, "0 0 15 * * *", now);
  EXPECT_EQ(partition.next_due(), start + 39 * hour);
}

TEST(RescheduleTimer, MakesARepeatingTimerEndAfterOneMore) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  partition.trigger_due(start + minute);
  partition.reschedule_due(about, start + hour, start + minute);
  const auto last = first_triggered(partition.trigger_due(start + hour));
  EXPECT_EQ(last.occurrence(), 2u);
  EXPECT_EQ(last.next_occurrence(), 0u);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(RescheduleTimer, LeavesOneTraceHoweverOftenItHappens) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  partition.reschedule_due(about, start + hour);
  const auto byte_count = partition.state_.byte_count();
  for (int i = 0; i < 1'000; ++i)
    partition.reschedule_due(about, start + hour + i * ms);
  EXPECT_EQ(due_index::count(partition.view()), 1u);
  EXPECT_EQ(partition.state_.byte_count(), byte_count);
  partition.trigger_due(start + 2 * hour);
  EXPECT_EQ(partition.triggered().size(), 1u);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(RescheduleTimer, KeepsNameTargetAndPayload) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_expression("R/PT1M");
  value.set_name("reminder");
  value.set_target("mail");
  value.set_payload("to: you");
  const auto about = partition.create(value)[0].key;
  v1::RescheduleTimer wanted;
  wanted.set_name("reminder");
  wanted.mutable_schedule()->set_due_ms(start.value);
  partition.submit(value_type::timer, v1::TIMER_INTENT_RESCHEDULE, {}, wanted,
                   start);
  const auto outcome = partition.trigger(about, start);
  ASSERT_EQ(outcome.size(), 2u);
  const auto job = parse<v1::JobCreated>(outcome[1]);
  EXPECT_EQ(job.type(), "mail");
  EXPECT_EQ(job.payload(), "to: you");
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(RescheduleTimer, IsRejectedIfThereIsNoSuchTimer) {
  timer_partition partition;
  expect_rejection(partition.reschedule_due({77}, start),
                   rejection_type::not_found, "key 77");
}

TEST(RescheduleTimer, LeavesTheTimerAloneIfTheScheduleIsMalformed) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  const auto before = partition.state_.entries;
  expect_rejection(partition.reschedule_repeating(about, "R/PT1X"),
                   rejection_type::invalid_argument, "offset 5");
  EXPECT_EQ(partition.state_.entries, before);
}

} // namespace gnomon::testing
