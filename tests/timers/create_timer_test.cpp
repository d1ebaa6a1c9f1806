#include "tests/timers/timer_fixture.hpp"

namespace gnomon::testing {

namespace {

v1::CreateTimer due_at(timestamp due) {
  v1::CreateTimer result;
  result.mutable_schedule()->set_due_ms(due.value);
  return result;
}

v1::CreateTimer after(std::int64_t delay_ms) {
  v1::CreateTimer result;
  result.mutable_schedule()->set_after_ms(delay_ms);
  return result;
}

v1::CreateTimer repeating(const std::string& expression) {
  v1::CreateTimer result;
  result.mutable_schedule()->set_expression(expression);
  return result;
}

} // namespace

TEST(CreateTimer, AnswersWithANewKeyAndTheDueDate) {
  timer_partition partition;
  auto value = due_at(start + hour);
  value.set_target("mail");
  value.set_payload("to: you");
  value.set_name("reminder");
  const auto outcome = partition.create(value);
  ASSERT_EQ(outcome.size(), 1u);
  ASSERT_TRUE(
    is_event(outcome[0], value_type::timer, v1::TIMER_INTENT_CREATED));
  EXPECT_NE(outcome[0].key.value, 0u);
  const auto created = parse<v1::TimerCreated>(outcome[0]);
  EXPECT_EQ(created.due_ms(), (start + hour).value);
  EXPECT_EQ(created.target(), "mail");
  EXPECT_EQ(created.payload(), "to: you");
  EXPECT_EQ(created.name(), "reminder");
  EXPECT_EQ(created.expression(), "");
  EXPECT_EQ(partition.next_due(), start + hour);
}

TEST(CreateTimer, CountsADelayFromTheTimestampOfTheCommand) {
  timer_partition partition;
  partition.create(after(1'500), start + hour);
  EXPECT_EQ(partition.next_due(), start + hour + duration{1'500});
}

TEST(CreateTimer, TakesDueDatesInThePast) {
  timer_partition partition;
  partition.create(due_at(start + -hour));
  EXPECT_EQ(partition.next_due(), start + -hour);
}

TEST(CreateTimer, SaturatesDelaysThatEndBehindTheEndOfTime) {
  timer_partition partition;
  partition.create(after(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(partition.next_due(), timestamp::max());
  partition.create(after(timestamp::max().value - start.value));
  partition.create(after(timestamp::max().value - start.value + 1));
  EXPECT_EQ(due_index::count(partition.view()), 3u);
  EXPECT_EQ(partition.next_due(), timestamp::max());
}

TEST(CreateTimer, NeverTriggersWhatIsDueAtTheEndOfTime) {
  timer_partition partition;
  partition.create(after(std::numeric_limits<std::int64_t>::max()));
  const auto years = 100 * 366 * 24 * hour;
  EXPECT_TRUE(partition.trigger_due(start + years).empty());
  EXPECT_TRUE(partition.trigger_due({timestamp::max().value - 1}).empty());
}

TEST(CreateTimer, SaturatesDelaysThatEndBeforeTheBeginningOfTime) {
  timer_partition partition;
  partition.create(after(std::numeric_limits<std::int64_t>::min()), {-1'000});
  EXPECT_EQ(partition.next_due(), timestamp::min());
  EXPECT_EQ(partition.trigger_due(start).size(), 1u);
}

TEST(CreateTimer, StoresOneShotExpressionsAsDueDates) {
  timer_partition partition;
  for (const auto* expression : {"2024-01-01T01:00:00Z", "PT1H", "1h"}) {
    const auto outcome = partition.create(repeating(expression));
    ASSERT_EQ(outcome[0].record_type, record_type::event) << expression;
    const auto created = parse<v1::TimerCreated>(outcome[0]);
    EXPECT_EQ(created.due_ms(), (start + hour).value) << expression;
    EXPECT_EQ(created.expression(), "") << expression;
  }
}

TEST(CreateTimer, KeepsTheExpressionAndItsAnchorIfItRepeats) {
  timer_partition partition;
  auto value = repeating("R/PT1M");
  value.mutable_schedule()->set_zone("Europe/Berlin");
  const auto created = parse<v1::TimerCreated>(partition.create(value)[0]);
  EXPECT_EQ(created.expression(), "R/PT1M");
  EXPECT_EQ(created.zone(), "Europe/Berlin");
  EXPECT_EQ(created.anchor_ms(), start.value);
}

TEST(CreateTimer, RejectsAMissingSchedule) {
  timer_partition partition;
  expect_rejection(partition.create({}), rejection_type::invalid_argument,
                   "has none of them");
}

TEST(CreateTimer, RejectsAValueThatIsNoMessage) {
  timer_partition partition;
  expect_rejection(partition.process(value_type::timer, v1::TIMER_INTENT_CREATE,
                                     {}, "\xFF", start),
                   rejection_type::invalid_argument, "CreateTimer");
}

TEST(CreateTimer, PointsAtTheFaultOfAnExpression) {
  timer_partition partition;
  expect_rejection(partition.create(repeating("R/PT1X")),
                   rejection_type::invalid_argument, "offset 5");
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CreateTimer, RejectsExpressionsThatAreNeverDue) {
  timer_partition partition;
  for (const auto* expression :
       {"0 0 0 30 2 *", "R/PT0S", "R/-PT1S", "R/PT0.000000001S"})
    expect_rejection(partition.create(repeating(expression)),
                     rejection_type::invalid_argument, "");
  EXPECT_TRUE(partition.state_.entries.empty());
}

TEST(CreateTimer, RejectsAnUnknownZone) {
  timer_partition partition;
  auto value = repeating("@daily");
  value.mutable_schedule()->set_zone("Mars/Olympus");
  expect_rejection(partition.create(value), rejection_type::invalid_argument,
                   "Mars/Olympus");
}

TEST(CreateTimer, TakesTextsUpToTheirLimitAndNoByteMore) {
  timers::timer_options options;
  options.target_bytes_max = 3;
  options.name_bytes_max = 4;
  options.payload_bytes_max = 5;
  timer_partition partition{options};
  auto fits = due_at(start);
  fits.set_target("123");
  fits.set_name("1234");
  fits.set_payload("12345");
  EXPECT_EQ(partition.create(fits)[0].record_type, record_type::event);
  auto target = due_at(start);
  target.set_target("1234");
  expect_rejection(partition.create(target), rejection_type::invalid_argument,
                   "target of at most 3 bytes, but it has 4");
  auto name = due_at(start);
  name.set_name("12345");
  expect_rejection(partition.create(name), rejection_type::invalid_argument,
                   "name of at most 4 bytes, but it has 5");
  auto payload = due_at(start);
  payload.set_payload("123456");
  expect_rejection(partition.create(payload), rejection_type::invalid_argument,
                   "payload of at most 5 bytes, but it has 6");
}

TEST(CreateTimer, KeepsKeysOfTheStateShortForTheLongestTexts) {
  timers::timer_options options;
  options.name_bytes_max = timers::text_bytes_limit;
  timer_partition partition{options};
  auto value = due_at(start);
  value.set_name(std::string(timers::text_bytes_limit, 'n'));
  EXPECT_EQ(partition.create(value)[0].record_type, record_type::event);
  for (const auto& [where, body] : partition.state_.entries)
    EXPECT_LE(where.second.size(), 511u);
}

TEST(CreateTimer, RejectsZeroBytesInNames) {
  timer_partition partition;
  auto value = due_at(start);
  value.set_name(std::string("a\0b", 3));
  expect_rejection(partition.create(value), rejection_type::invalid_argument,
                   "zero bytes");
}

TEST(CreateTimer, RejectsANameThatAWaitingTimerHas) {
  timer_partition partition;
  auto value = due_at(start + hour);
  value.set_name("reminder");
  const auto first = partition.create(value)[0].key;
  expect_rejection(partition.create(value), rejection_type::already_exists,
                   std::to_string(first.value));
  partition.trigger(first, start + hour);
  EXPECT_EQ(partition.create(value)[0].record_type, record_type::event);
}

TEST(CreateTimer, WritesOneBodyAndOneDueEntry) {
  timer_partition partition;
  auto value = due_at(start + hour);
  value.set_target("twenty bytes of text");
  value.set_payload(std::string(32, 'p'));
  partition.create(value);
  EXPECT_EQ(partition.state_.puts, 2u);
  EXPECT_EQ(partition.state_.gets, 0u);
  EXPECT_EQ(partition.state_.erases, 0u);
  // Two entries, each with a header of the store and in pages two thirds full.
  EXPECT_LE((partition.state_.byte_count() + 2 * 10) * 3 / 2, 300u);
}

} // namespace gnomon::testing
