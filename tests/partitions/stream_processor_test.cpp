#include "jobs/job_queries.hpp"
#include "tests/partitions/driven_partition.hpp"
#include "timers/timer_queries.hpp"

#include <algorithm>
#include <chrono>

using namespace gnomon;
using namespace std::chrono_literals;

namespace {

using step_end = test::driven_partition::step_end;

class StreamProcessor : public test::PartitionTest {
protected:
  std::uint64_t jobs_waiting() {
    return jobs::count_jobs(**partition.core().view(), 1'000).jobs;
  }

  create_timer timer_after(duration delay) const {
    return {.when = clock.wall() + delay, .target = "greet"};
  }
};

} // namespace

// -- durability ---------------------------------------------------------------

TEST_F(StreamProcessor, AnswersOnlyOnceASyncHasEnded) {
  const auto request = partition.submit(timer_after(1h));
  EXPECT_EQ(partition.process(), step_end::idle);
  EXPECT_FALSE(partition.has_answer(request));
  auto ticket = partition.core().begin_sync();
  ASSERT_TRUE(ticket);
  const auto outcome = ticket->run();
  EXPECT_FALSE(partition.has_answer(request));
  ASSERT_TRUE(partition.core().end_sync(*ticket, outcome));
  const auto answer = partition.answer_to(request);
  EXPECT_EQ(answer.record_type, record_type::event);
  EXPECT_EQ(answer.intent, intent{v1::TIMER_INTENT_CREATED});
}

TEST_F(StreamProcessor, SyncsOneAtATime) {
  const auto first = partition.submit(timer_after(1h));
  partition.process();
  auto ticket = partition.core().begin_sync();
  ASSERT_TRUE(ticket);
  const auto second = partition.submit(timer_after(1h));
  partition.process();
  EXPECT_FALSE(partition.core().begin_sync());
  ASSERT_TRUE(partition.core().end_sync(*ticket, ticket->run()));
  EXPECT_TRUE(partition.has_answer(first));
  EXPECT_FALSE(partition.has_answer(second));
  partition.sync();
  EXPECT_TRUE(partition.has_answer(second));
  EXPECT_FALSE(partition.core().begin_sync());
}

TEST_F(StreamProcessor, FailsWithItsSync) {
  partition.submit(timer_after(1h));
  partition.process();
  auto ticket = partition.core().begin_sync();
  ASSERT_TRUE(ticket);
  const auto done
    = partition.core().end_sync(*ticket, error{errc::io_error, "sync"});
  EXPECT_EQ(done.error().code, errc::io_error);
}

// -- timers -------------------------------------------------------------------

TEST_F(StreamProcessor, TriggersAtTheDueDateAndNotAMillisecondBefore) {
  partition.submit(timer_after(10min));
  partition.run();
  clock.advance(10min - 1ms);
  partition.run();
  EXPECT_EQ(jobs_waiting(), 0u);
  clock.advance(1ms);
  partition.run();
  EXPECT_EQ(jobs_waiting(), 1u);
  partition.run();
  EXPECT_EQ(jobs_waiting(), 1u);
}

TEST_F(StreamProcessor, SaysWhenToLookAgain) {
  EXPECT_FALSE(partition.core().next_due());
  partition.submit(timer_after(10min));
  partition.run();
  const auto due = partition.core().next_due();
  ASSERT_TRUE(due);
  EXPECT_EQ(*due, clock.wall() + 10min);
}

TEST_F(StreamProcessor, TriggersMoreThanOneBatchInOneScan) {
  partition.close();
  partition.options.commands_per_batch_max = 8;
  partition.open();
  for (int i = 0; i < 100; ++i)
    partition.submit(timer_after(1s));
  partition.run();
  clock.advance(1s);
  partition.run();
  EXPECT_EQ(jobs_waiting(), 100u);
}

// -- operator -----------------------------------------------------------------

TEST_F(StreamProcessor, HoldsWhilePausedAndGoesOnWhenResumed) {
  partition.submit(timer_after(1s));
  partition.run();
  partition.core().pause();
  clock.advance(1s);
  const auto request = partition.submit(timer_after(1h));
  EXPECT_EQ(partition.run(), step_end::held);
  EXPECT_TRUE(partition.core().is_paused());
  EXPECT_FALSE(partition.core().next_due());
  EXPECT_FALSE(partition.has_answer(request));
  EXPECT_EQ(jobs_waiting(), 0u);
  partition.core().resume();
  EXPECT_EQ(partition.run(), step_end::idle);
  EXPECT_TRUE(partition.has_answer(request));
  EXPECT_EQ(jobs_waiting(), 1u);
}

TEST_F(StreamProcessor, HoldsWhenTheClockJumpsUntilItIsConfirmed) {
  partition.submit(timer_after(1h));
  partition.run();
  clock.step_wall(partition.options.clock_jump_max + 1ms);
  EXPECT_EQ(partition.run(), step_end::held);
  EXPECT_TRUE(partition.core().current_status().clock_suspect);
  EXPECT_TRUE(partition.core().next_due());
  EXPECT_EQ(jobs_waiting(), 0u);
  partition.core().confirm_clock();
  EXPECT_EQ(partition.run(), step_end::idle);
  EXPECT_FALSE(partition.core().current_status().clock_suspect);
  EXPECT_EQ(jobs_waiting(), 1u);
}

TEST_F(StreamProcessor, BelievesAJumpOfTheLargestAllowedLength) {
  partition.submit(timer_after(1h));
  partition.run();
  clock.step_wall(partition.options.clock_jump_max);
  EXPECT_EQ(partition.run(), step_end::idle);
  EXPECT_EQ(jobs_waiting(), 1u);
}

TEST_F(StreamProcessor, RefusesCommandsBeyondWhatMayBeInFlight) {
  partition.close();
  partition.options.in_flight_max = 2;
  partition.open();
  partition.submit(timer_after(1h));
  partition.submit(timer_after(1h));
  record command;
  command.record_type = record_type::command;
  command.value_type = value_type::timer;
  command.intent = {v1::TIMER_INTENT_CREATE};
  const auto refused = partition.core().submit(command);
  EXPECT_EQ(refused.error().code, errc::resource_exhausted);
  partition.run();
  partition.take_jobs();
  EXPECT_TRUE(partition.core().submit(command));
}

// -- jobs ---------------------------------------------------------------------

TEST_F(StreamProcessor, PushesAJobOnceItsActivationIsDurable) {
  const auto worker = partition.core().subscribe({"greet", 1, 1min});
  partition.submit(timer_after(1s));
  partition.run();
  clock.advance(1s);
  partition.core().scan_due();
  partition.process();
  EXPECT_TRUE(partition.take_jobs().empty());
  partition.sync();
  const auto pushed = partition.take_jobs();
  ASSERT_EQ(pushed.size(), 1u);
  EXPECT_EQ(pushed[0].worker, worker);
  EXPECT_EQ(pushed[0].job.activation(), 1u);
  const auto done = partition.submit(complete_job{{pushed[0].job.key()}, 1});
  partition.run();
  EXPECT_EQ(partition.answer_to(done).intent, intent{v1::JOB_INTENT_COMPLETED});
  EXPECT_EQ(jobs_waiting(), 0u);
}

TEST_F(StreamProcessor, PushesNoMoreThanAWorkerHasRoomFor) {
  partition.core().subscribe({"greet", 2, 1min});
  for (int i = 0; i < 3; ++i)
    partition.submit(timer_after(0ms));
  partition.run();
  const auto pushed = partition.take_jobs();
  ASSERT_EQ(pushed.size(), 2u);
  partition.submit(complete_job{{pushed[0].job.key()}, 1});
  partition.run();
  EXPECT_EQ(partition.take_jobs().size(), 1u);
}

TEST_F(StreamProcessor, SharesJobsOutInPortions) {
  partition.close();
  partition.options.jobs_per_activation_max = 2;
  partition.open();
  const auto first = partition.core().subscribe({"greet", 10, 1min});
  partition.core().subscribe({"greet", 10, 1min});
  for (int i = 0; i < 4; ++i)
    partition.submit(timer_after(0ms));
  partition.run();
  const auto pushed = partition.take_jobs();
  ASSERT_EQ(pushed.size(), 4u);
  EXPECT_EQ(std::ranges::count(pushed, first, &test::pushed_job::worker), 2);
}

TEST_F(StreamProcessor, OffersTheJobsOfALostWorkerToOthers) {
  const auto lost = partition.core().subscribe({"greet", 1, 1min});
  partition.submit(timer_after(0ms));
  partition.run();
  ASSERT_EQ(partition.take_jobs().size(), 1u);
  const auto other = partition.core().subscribe({"greet", 1, 1min});
  partition.run();
  EXPECT_TRUE(partition.take_jobs().empty());
  partition.core().unsubscribe(lost);
  partition.run();
  const auto pushed = partition.take_jobs();
  ASSERT_EQ(pushed.size(), 1u);
  EXPECT_EQ(pushed[0].worker, other);
  EXPECT_EQ(pushed[0].job.activation(), 2u);
}

TEST_F(StreamProcessor, OffersAJobAgainWhenItsTimeIsOver) {
  partition.core().subscribe({"greet", 1, 1min});
  partition.submit(timer_after(0ms));
  partition.run();
  ASSERT_EQ(partition.take_jobs().size(), 1u);
  clock.advance(1min - 1ms);
  partition.run();
  EXPECT_TRUE(partition.take_jobs().empty());
  clock.advance(1ms);
  partition.run();
  EXPECT_EQ(partition.take_jobs().size(), 1u);
}
