#include "gnomon/state_key.hpp"
#include "tests/timers/timer_fixture.hpp"

namespace gnomon::testing {

namespace {

/// Numbers triggered and skipped so far, in order; skipped ones are negative.
std::vector<std::int64_t> numbers(const fake_partition& partition) {
  std::vector<std::int64_t> result;
  for (const auto& each : partition.log) {
    if (is_event(each, value_type::timer, v1::TIMER_INTENT_TRIGGERED))
      result.push_back(static_cast<std::int64_t>(
        parse<v1::TimerTriggered>(each).occurrence()));
    if (!is_event(each, value_type::timer, v1::TIMER_INTENT_SKIPPED))
      continue;
    const auto skipped = parse<v1::TimerSkipped>(each);
    for (std::uint64_t i = 0; i < skipped.count(); ++i)
      result.push_back(
        -static_cast<std::int64_t>(skipped.first_occurrence() + i));
  }
  return result;
}

/// Triggers until nothing is due any more.
void catch_up(timer_partition& partition, timestamp now) {
  while (!partition.trigger_due(now).empty()) {
    // nop
  }
}

using number_list = std::vector<std::int64_t>;

} // namespace

TEST(TriggerTimer, IsRejectedBeforeItsDueDate) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  expect_rejection(partition.trigger(about, start + hour + -ms),
                   rejection_type::invalid_state,
                   "due at " + std::to_string((start + hour).value));
  EXPECT_EQ(partition.next_due(), start + hour);
}

TEST(TriggerTimer, HappensExactlyAtItsDueDate) {
  timer_partition partition;
  const auto about = partition.create_due(start + hour);
  const auto outcome = partition.trigger(about, start + hour);
  ASSERT_EQ(outcome.size(), 2u);
  ASSERT_TRUE(
    is_event(outcome[0], value_type::timer, v1::TIMER_INTENT_TRIGGERED));
  const auto triggered = parse<v1::TimerTriggered>(outcome[0]);
  EXPECT_EQ(triggered.occurrence(), 1u);
  EXPECT_EQ(triggered.due_ms(), (start + hour).value);
  EXPECT_EQ(triggered.next_occurrence(), 0u);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(TriggerTimer, MakesAJobInTheSameStep) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_due_ms(start.value);
  value.set_target("mail");
  value.set_payload("to: you");
  value.set_retries(7);
  const auto about = partition.create(value)[0].key;
  const auto outcome = partition.trigger(about, start + second);
  ASSERT_EQ(outcome.size(), 2u);
  ASSERT_TRUE(is_event(outcome[1], value_type::job, v1::JOB_INTENT_CREATED));
  EXPECT_NE(outcome[1].key, about);
  EXPECT_NE(outcome[1].key.value, 0u);
  const auto job = parse<v1::JobCreated>(outcome[1]);
  EXPECT_EQ(job.type(), "mail");
  EXPECT_EQ(job.payload(), "to: you");
  EXPECT_EQ(job.retries(), 7u);
  EXPECT_EQ(job.timer_key(), about.value);
  EXPECT_EQ(job.occurrence(), 1u);
  EXPECT_EQ(job.due_ms(), start.value);
}

TEST(TriggerTimer, GivesAJobTheDefaultRetries) {
  timers::timer_options options;
  options.retries_default = 9;
  timer_partition partition{options};
  partition.create_due(start);
  const auto outcome = partition.trigger_due(start);
  EXPECT_EQ(parse<v1::JobCreated>(outcome.at(1)).retries(), 9u);
}

TEST(TriggerTimer, MakesNoJobWithoutATarget) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_due_ms(start.value);
  partition.create(value);
  EXPECT_EQ(partition.trigger_due(start).size(), 1u);
}

TEST(TriggerTimer, IsRejectedTheSecondTime) {
  timer_partition partition;
  const auto about = partition.create_due(start);
  partition.trigger(about, start);
  expect_rejection(partition.trigger(about, start), rejection_type::not_found,
                   std::to_string(about.value));
}

TEST(TriggerTimer, OfAnOccurrenceThatHasPassedIsRejected) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  partition.trigger(about, start + minute);
  expect_rejection(partition.trigger(about, start + minute),
                   rejection_type::invalid_state, "");
  EXPECT_EQ(partition.triggered().size(), 1u);
}

TEST(TriggerTimer, AlwaysHappensForOneShotsHoweverLate) {
  for (const auto policy :
       {v1::CATCH_UP_EVERY, v1::CATCH_UP_LATEST, v1::CATCH_UP_SKIP}) {
    timer_partition partition;
    v1::CreateTimer value;
    value.mutable_schedule()->set_due_ms(start.value);
    value.set_catch_up(policy);
    partition.create(value);
    partition.trigger_due(start + 24 * 365 * 10 * hour);
    EXPECT_EQ(partition.triggered().size(), 1u);
  }
}

TEST(TriggerTimer, GoesInTheOrderOfDueDates) {
  timer_partition partition;
  const auto late = partition.create_due(start + hour);
  const auto early = partition.create_due(start + minute);
  const auto outcome = partition.trigger_due(start + hour);
  ASSERT_EQ(outcome.size(), 4u);
  EXPECT_EQ(outcome[0].key, early);
  EXPECT_EQ(outcome[2].key, late);
}

TEST(TriggerTimer, ReadsOnceAndErasesTwice) {
  timer_partition partition;
  const auto about = partition.create_due(start);
  partition.state_.reset_counters();
  partition.trigger(about, start);
  EXPECT_EQ(partition.state_.gets, 1u);
  EXPECT_EQ(partition.state_.erases, 2u);
  EXPECT_EQ(partition.state_.puts, 0u);
}

TEST(TriggerTimer, FreesTheNameWithTheLastOccurrence) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_expression("R2/2024-01-01T00:00:00Z/PT1M");
  value.set_name("reminder");
  partition.create(value);
  partition.trigger_due(start);
  EXPECT_EQ(partition.view().count(timers::timer_name_family), 1u);
  catch_up(partition, start + hour);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(RepeatingTimer, KeepsItsKeyAndItsGrid) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  for (int i = 1; i <= 5; ++i) {
    const auto outcome = partition.trigger_due(start + i * minute + 300 * ms);
    ASSERT_EQ(outcome.size(), 2u);
    EXPECT_EQ(outcome[0].key, about);
    EXPECT_EQ(partition.next_due(), start + (i + 1) * minute);
  }
  EXPECT_EQ(numbers(partition), (number_list{1, 2, 3, 4, 5}));
}

TEST(RepeatingTimer, TriggersMissedOccurrencesOldestFirst) {
  timer_partition partition;
  partition.create_repeating("R/PT5M");
  catch_up(partition, start + 17 * minute);
  EXPECT_EQ(numbers(partition), (number_list{1, 2, 3}));
  EXPECT_EQ(partition.next_due(), start + 20 * minute);
}

TEST(RepeatingTimer, CountsHowManyItCaughtUpInARow) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT5M");
  const auto outcome = partition.trigger_due(start + 17 * minute);
  EXPECT_EQ(parse<v1::TimerTriggered>(outcome[0]).caught_up(), 1u);
  EXPECT_EQ(timers::find_timer(partition.view(), about)->caught_up, 1u);
}

TEST(RepeatingTimer, SkipsTheRestOnceTheLimitIsReached) {
  timers::timer_options options;
  options.catch_up.catch_up_max = 3;
  timer_partition partition{options};
  partition.create_repeating("R/PT5M");
  catch_up(partition, start + 37 * minute);
  EXPECT_EQ(numbers(partition), (number_list{1, 2, 3, -4, -5, -6, 7}));
  EXPECT_EQ(partition.next_due(), start + 40 * minute);
}

TEST(RepeatingTimer, TriggersTheNewestOnlyIfAskedFor) {
  timer_partition partition;
  partition.create_repeating("R/PT5M", v1::CATCH_UP_LATEST);
  catch_up(partition, start + 32 * minute);
  EXPECT_EQ(numbers(partition), (number_list{-1, -2, -3, -4, -5, 6}));
  EXPECT_EQ(partition.triggered(), std::vector{start + 30 * minute});
  EXPECT_EQ(partition.next_due(), start + 35 * minute);
}

TEST(RepeatingTimer, SkipsWhatIsMissedIfAskedFor) {
  timer_partition partition;
  partition.create_repeating("R/PT5M", v1::CATCH_UP_SKIP);
  catch_up(partition, start + 32 * minute);
  EXPECT_EQ(numbers(partition), (number_list{-1, -2, -3, -4, -5, -6}));
  EXPECT_EQ(partition.next_due(), start + 35 * minute);
  partition.trigger_due(start + 35 * minute);
  EXPECT_EQ(partition.triggered(), std::vector{start + 35 * minute});
}

TEST(RepeatingTimer, EndsWhenItsLastOccurrenceIsSkipped) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_expression("R3/2024-01-01T00:00:00Z/PT5M");
  value.set_catch_up(v1::CATCH_UP_SKIP);
  value.set_name("reminder");
  partition.create(value);
  catch_up(partition, start + 24 * hour);
  EXPECT_TRUE(partition.triggered().empty());
  EXPECT_EQ(parse<v1::TimerSkipped>(partition.log.back()).next_occurrence(),
            0u);
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(RepeatingTimer, CatchesUpOnTenYearsOfSecondsAtOnce) {
  timer_partition partition;
  partition.create_repeating("* * * * * *", v1::CATCH_UP_LATEST);
  const auto now = start + 10 * 365 * 24 * hour;
  const auto outcome = partition.trigger_due(now);
  ASSERT_EQ(outcome.size(), 3u);
  EXPECT_EQ(partition.triggered(), std::vector{now});
  EXPECT_EQ(partition.next_due(), now + second);
}

TEST(RepeatingTimer, GoesOnAfterReplayAsBefore) {
  timer_partition partition;
  partition.create_repeating("R/2024-01-31T00:00:00Z/P1M");
  partition.create_repeating("0 30 2 * * *");
  for (int day = 1; day <= 200; ++day) {
    if (day % 10 == 0)
      partition.state_.entries = partition.replayed();
    catch_up(partition, start + day * 24 * hour);
  }
  const auto all = partition.triggered();
  EXPECT_EQ(all.size(), 6u + 200u);
  EXPECT_EQ(partition.state_.entries, partition.replayed());
}

TEST(RepeatingTimer, IsRejectedAndStaysIfItCannotBeRead) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  const auto at = std::pair{timers::timer_family, state_key{}.add(about)};
  auto& body = partition.state_.entries.at({at.first, bytes{at.second.view()}});
  const auto place = body.find("R/PT1M");
  ASSERT_NE(place, bytes::npos);
  body[place] = 'X';
  expect_rejection(partition.trigger(about, start + minute),
                   rejection_type::processing_failed,
                   std::to_string(about.value));
  EXPECT_EQ(partition.next_due(), start + minute);
}

TEST(TriggerTimer, IsRejectedIfTheBodyIsMalformed) {
  timer_partition partition;
  const auto good = partition.create_due(start);
  const auto damaged = partition.create_due(start);
  const bytes at{state_key{}.add(damaged).view()};
  auto& body = partition.state_.entries.at({timers::timer_family, at});
  body.back() = '\xFF';
  body[body.size() - 2] = '\xFF';
  expect_rejection(partition.trigger(damaged, start),
                   rejection_type::processing_failed, "malformed");
  EXPECT_EQ(partition.trigger(good, start).size(), 2u);
}

} // namespace gnomon::testing
