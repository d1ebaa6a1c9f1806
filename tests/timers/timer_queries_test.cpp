#include "gnomon/state_key.hpp"
#include "tests/timers/timer_fixture.hpp"
#include "timers/timer_queries.hpp"

namespace gnomon::testing {

namespace {

using timers::describe_timer;
using timers::list_timers;
using timers::query_limits;
using timers::timer_filter;
using timers::waiting_room;

key create(timer_partition& partition, const std::string& target,
           timestamp due) {
  v1::CreateTimer value;
  value.mutable_schedule()->set_due_ms(due.value);
  value.set_target(target);
  return partition.create(value)[0].key;
}

/// Reads all pages.
std::vector<key> all_keys(const timer_partition& partition,
                          const timer_filter& filter,
                          const query_limits& limits) {
  std::vector<key> result;
  std::optional<key> after{key{}};
  while (after) {
    const auto page = list_timers(partition.view(), *after, filter, limits);
    for (const auto& timer : page.timers)
      result.push_back(timer.key);
    after = page.next_after;
  }
  return result;
}

} // namespace

TEST(TimerState, HasTheBytesOfItsFormat) {
  fake_state state;
  timers::waiting_timer timer;
  timer.pending = {2, {0x0102}};
  timer.caught_up = 3;
  timer.repeats = true;
  timer.rescheduled = "re";
  timer.created = "cre";
  timers::insert_timer(state, {9}, timer, "n", start);
  const bytes expected("\x00\x01\x00\x01\x00\x00\x00\x03"
                       "\x00\x00\x00\x00\x00\x00\x00\x02"
                       "\x80\x00\x00\x00\x00\x00\x01\x02"
                       "\x00\x00\x00\x02"
                       "recre",
                       33);
  const bytes about{state_key{}.add(key{9}).view()};
  EXPECT_EQ(state.entries.at({timers::timer_family, about}), expected);
  const bytes name("n\0\0", 3);
  EXPECT_EQ(state.entries.at({timers::timer_name_family, name}), about);
  EXPECT_EQ(state.entries.size(), 3u);
}

TEST(TimerState, FindsNothingInAHeaderThatIsCut) {
  fake_state state;
  timers::insert_timer(state, {9}, {}, "", start);
  const auto body
    = state.entries.at({timers::timer_family, bytes("\0\0\0\0\0\0\0\x09", 8)});
  EXPECT_TRUE(timers::decode_timer(body));
  for (std::size_t length = 0; length < body.size(); ++length)
    EXPECT_FALSE(timers::decode_timer(bytes_view{body}.substr(0, length)));
}

TEST(DescribeTimer, ShowsWhatItsOwnerChose) {
  timer_partition partition;
  v1::CreateTimer value;
  value.mutable_schedule()->set_expression("R/PT1M");
  value.mutable_schedule()->set_zone("Europe/Berlin");
  value.set_target("mail");
  value.set_name("reminder");
  value.set_payload("12345");
  value.set_catch_up(v1::CATCH_UP_LATEST);
  const auto about = partition.create(value)[0].key;
  partition.trigger_due(start + minute);
  const auto view = describe_timer(partition.view(), about);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->key, about);
  EXPECT_EQ(view->due, start + 2 * minute);
  EXPECT_EQ(view->occurrence, 2u);
  EXPECT_EQ(view->target, "mail");
  EXPECT_EQ(view->name, "reminder");
  EXPECT_EQ(view->expression, "R/PT1M");
  EXPECT_EQ(view->zone, "Europe/Berlin");
  EXPECT_EQ(view->payload_bytes, 5u);
  EXPECT_EQ(view->catch_up, std::uint32_t{v1::CATCH_UP_LATEST});
  EXPECT_EQ(describe_timer(partition.view(), "reminder"), view);
}

TEST(DescribeTimer, ShowsTheNewScheduleAfterRescheduling) {
  timer_partition partition;
  const auto about = partition.create_repeating("R/PT1M");
  partition.reschedule_repeating(about, "R/PT1H");
  EXPECT_EQ(describe_timer(partition.view(), about)->expression, "R/PT1H");
  partition.reschedule_due(about, start);
  EXPECT_EQ(describe_timer(partition.view(), about)->expression, "");
}

TEST(DescribeTimer, FindsNothingOfTimersThatAreGone) {
  timer_partition partition;
  const auto about = partition.create_due(start);
  partition.cancel(about);
  EXPECT_FALSE(describe_timer(partition.view(), about));
  EXPECT_FALSE(describe_timer(partition.view(), "reminder"));
}

TEST(ListTimers, GivesEachOnceWhateverThePageSize) {
  timer_partition partition;
  std::vector<key> expected;
  for (int i = 0; i < 7; ++i)
    expected.push_back(create(partition, "mail", start + -i * minute));
  for (std::size_t results_max = 1; results_max <= 8; ++results_max)
    EXPECT_EQ(all_keys(partition, {}, {results_max, 100}), expected);
  for (std::size_t visits_max = 1; visits_max <= 8; ++visits_max)
    EXPECT_EQ(all_keys(partition, {}, {100, visits_max}), expected);
}

TEST(ListTimers, NamesNoNextPageIfThisWasAll) {
  timer_partition partition;
  create(partition, "mail", start);
  const auto last = create(partition, "mail", start);
  const auto full = list_timers(partition.view(), {}, {}, {2, 100});
  EXPECT_EQ(full.timers.size(), 2u);
  EXPECT_FALSE(full.next_after);
  const auto partly = list_timers(partition.view(), {}, {}, {1, 100});
  EXPECT_TRUE(partly.next_after);
  EXPECT_NE(partly.next_after, last);
}

TEST(ListTimers, FiltersByTargetAndDueDate) {
  timer_partition partition;
  const auto mail = create(partition, "mail", start);
  const auto later = create(partition, "mail", start + ms);
  const auto call = create(partition, "call", start);
  using keys = std::vector<key>;
  EXPECT_EQ(all_keys(partition, {"mail", {}}, {1, 1}), (keys{mail, later}));
  EXPECT_EQ(all_keys(partition, {"", start}, {1, 1}), (keys{mail, call}));
  EXPECT_EQ(all_keys(partition, {"mail", start}, {9, 9}), (keys{mail}));
  EXPECT_EQ(all_keys(partition, {"fax", {}}, {9, 9}), (keys{}));
}

TEST(ListTimers, PassesOverAMalformedBody) {
  timer_partition partition;
  const auto damaged = create(partition, "mail", start);
  const auto sound = create(partition, "mail", start);
  const bytes at{state_key{}.add(damaged).view()};
  partition.state_.entries.at({timers::timer_family, at}) = "?";
  EXPECT_EQ(all_keys(partition, {}, {9, 9}), std::vector{sound});
}

TEST(WaitingRoom, IsEmptyWithoutTimers) {
  timer_partition partition;
  const auto room = waiting_room(partition.view(), start, 10);
  EXPECT_EQ(room.timers, 0u);
  EXPECT_EQ(room.all, timers::horizons{});
  EXPECT_FALSE(room.oldest_overdue);
  EXPECT_FALSE(room.next_due);
  EXPECT_FALSE(room.cut);
}

TEST(WaitingRoom, CountsEachTimerAtTheFirstHorizonThatFits) {
  timer_partition partition;
  for (const auto left :
       {-minute, 0 * ms, ms, minute + -ms, minute, hour + -ms, hour,
        24 * hour + -ms, 24 * hour, 30 * 24 * hour + -ms, 30 * 24 * hour})
    create(partition, "mail", start + left);
  const auto room = waiting_room(partition.view(), start, 100);
  EXPECT_EQ(room.all, (timers::horizons{2, 2, 2, 2, 2, 1}));
  EXPECT_EQ(room.by_target.at("mail"), room.all);
  EXPECT_EQ(room.timers, 11u);
  EXPECT_EQ(room.oldest_overdue, start + -minute);
  EXPECT_EQ(room.next_due, start + ms);
}

TEST(WaitingRoom, CountsByTarget) {
  timer_partition partition;
  create(partition, "mail", start);
  create(partition, "call", start + hour);
  create(partition, "call", start + -hour);
  const auto room = waiting_room(partition.view(), start, 100);
  EXPECT_EQ(room.by_target.at("mail"), (timers::horizons{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(room.by_target.at("call"), (timers::horizons{1, 0, 0, 1, 0, 0}));
}

TEST(WaitingRoom, SaysIfItWasCut) {
  timer_partition partition;
  for (int i = 0; i < 3; ++i)
    create(partition, "mail", start);
  EXPECT_FALSE(waiting_room(partition.view(), start, 3).cut);
  const auto room = waiting_room(partition.view(), start, 2);
  EXPECT_TRUE(room.cut);
  EXPECT_EQ(room.all.overdue, 2u);
  EXPECT_EQ(room.timers, 3u);
}

TEST(WaitingRoom, CountsWhatNeverTriggersAsLater) {
  timer_partition partition;
  create(partition, "mail", timestamp::max());
  const auto room = waiting_room(partition.view(), {-5}, 10);
  EXPECT_EQ(room.all.later, 1u);
}

TEST(WaitingRoom, HasAMessageWithTheSameContent) {
  timer_partition partition;
  create(partition, "mail", start);
  const auto message
    = timers::to_message(waiting_room(partition.view(), start, 10));
  EXPECT_EQ(message.timers(), 1u);
  EXPECT_EQ(message.horizons().overdue(), 1u);
  EXPECT_EQ(message.targets(0).target(), "mail");
  EXPECT_EQ(message.targets(0).horizons().overdue(), 1u);
  EXPECT_EQ(message.oldest_overdue_ms(), start.value);
  EXPECT_FALSE(message.has_next_due_ms());
}

} // namespace gnomon::testing
