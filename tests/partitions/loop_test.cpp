// Due dates, jobs, pauses and clocks of a whole partition.

#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/timer.pb.h"
#include "jobs/job_processor.hpp"
#include "tests/partitions/partition_fixture.hpp"
#include "tests/support/pushed_jobs.hpp"

#include <stdexcept>

namespace gnomon::partitions {

namespace {

using namespace std::chrono_literals;

constexpr auto waiting = user_value_type(8);

/// Always wants to try again later.
class waiting_processor : public record_processor {
public:
  explicit waiting_processor(int& attempts) : attempts_(attempts) {
    // nop
  }

  bool accepts(value_type type, intent what, record_type kind) const override {
    return type == waiting
           && what.value == (kind == record_type::command ? 1 : 2);
  }

  void process(const typed_record&, result_builder&) override {
    ++attempts_;
    throw std::runtime_error("not now");
  }

  void replay(const typed_record&, state_transaction&) override {
    // It never comes to an event.
  }

  processing_error on_processing_error(const error&, const typed_record&,
                                       result_builder&) override {
    return processing_error::retry;
  }

private:
  int& attempts_;
};

class Loop : public partition_fixture {
protected:
  std::size_t triggered() {
    return count(value_type::timer, v1::TIMER_INTENT_TRIGGERED);
  }

  void create(duration after, const std::string& target = {}) {
    submit(to_command(create_timer{.when = after, .target = target}));
    settle();
  }

  /// Returns the jobs pushed to `worker` so far.
  std::vector<v1::Job> jobs_of(const std::string& worker) const {
    std::vector<v1::Job> result;
    for (const auto& what : deliveries) {
      if (what.channel != jobs::job_channel)
        continue;
      for (auto& [whose, job] : test::pushed_jobs(what))
        if (whose == worker)
          result.push_back(std::move(job));
    }
    return result;
  }

  void complete(const v1::Job& job) {
    submit(to_command(complete_job{{job.key()}, job.activation(), {}}));
    settle();
  }
};

} // namespace

TEST_F(Loop, TriggersAtTheDueDateAndNotBefore) {
  open();
  create(1s);
  advance(999ms);
  EXPECT_EQ(triggered(), 0u);
  advance(1ms);
  EXPECT_EQ(triggered(), 1u);
}

TEST_F(Loop, SaysWhenToLookAgain) {
  open();
  EXPECT_EQ(partition->next_due(), std::nullopt);
  create(1h);
  EXPECT_EQ(partition->next_due(), time.wall() + 1h);
  create(1min);
  EXPECT_EQ(partition->next_due(), time.wall() + 1min);
}

TEST_F(Loop, KeepsTheGridOfARepeatingTimer) {
  open();
  submit(to_command(create_timer{.when = "R5/PT10S"}));
  settle();
  for (int i = 0; i < 10; ++i)
    advance(7s);
  EXPECT_EQ(triggered(), 5u);
  EXPECT_EQ(due_index::count(**partition->view()), 0u);
}

TEST_F(Loop, PushesTheJobOfATriggeredTimerAndTakesItsCompletion) {
  open();
  const auto worker = partition->subscribe({"mail", 1, 10s});
  create(1s, "mail");
  advance(1s);
  const auto jobs = jobs_of(worker);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].created().occurrence(), 1u);
  complete(jobs[0]);
  advance(1h);
  EXPECT_EQ(jobs_of(worker).size(), 1u);
}

TEST_F(Loop, RespectsTheCapacityOfAWorker) {
  open();
  const auto worker = partition->subscribe({"mail", 2, 10s});
  for (int i = 0; i < 3; ++i)
    create(1s, "mail");
  advance(1s);
  ASSERT_EQ(jobs_of(worker).size(), 2u);
  complete(jobs_of(worker)[0]);
  EXPECT_EQ(jobs_of(worker).size(), 3u);
}

TEST_F(Loop, TakesTheLongestTimeOutThereIsForALongerOne) {
  open();
  const auto worker = partition->subscribe({"mail", 1, duration::max()});
  create(0s, "mail");
  advance(0s);
  const auto pushed = jobs_of(worker);
  ASSERT_EQ(pushed.size(), 1u);
  EXPECT_EQ(pushed[0].deadline_ms(), (time.wall() + 30 * 24h).value);
}

TEST_F(Loop, GivesAJobBackThatCameTooLateForItsWorker) {
  options.commands_per_batch_max = 1;
  open();
  const auto lost = partition->subscribe({"mail", 1, 1h});
  submit(to_command(create_job{.type = "mail"}));
  ASSERT_TRUE(partition->step());
  // It ends while its activation waits behind another command.
  submit(to_command(create_timer{.when = 1h}));
  ASSERT_TRUE(partition->step());
  partition->unsubscribe(lost);
  settle();
  ASSERT_EQ(jobs_of(lost).size(), 1u);
  EXPECT_TRUE(partition->has_jobs(lost));
  partition->unsubscribe(lost);
  const auto worker = partition->subscribe({"mail", 1, 1h});
  settle();
  EXPECT_FALSE(partition->has_jobs(lost));
  EXPECT_EQ(jobs_of(worker).size(), 1u);
}

TEST_F(Loop, OffersAJobAgainAfterItsTime) {
  open();
  const auto worker = partition->subscribe({"mail", 1, 10s});
  create(1s, "mail");
  advance(1s);
  advance(9'999ms);
  EXPECT_EQ(jobs_of(worker).size(), 1u);
  advance(1ms);
  ASSERT_EQ(jobs_of(worker).size(), 2u);
  EXPECT_EQ(jobs_of(worker)[1].activation(), 2u);
}

TEST_F(Loop, GivesTheJobsOfALostWorkerToOthersAtOnce) {
  open();
  const auto lost = partition->subscribe({"mail", 1, 1h});
  create(1s, "mail");
  advance(1s);
  ASSERT_EQ(jobs_of(lost).size(), 1u);
  const auto other = partition->subscribe({"mail", 1, 1h});
  partition->unsubscribe(lost);
  settle();
  EXPECT_EQ(jobs_of(other).size(), 1u);
}

TEST_F(Loop, OffersJobsOfAnEarlierIncarnationAgain) {
  open();
  partition->subscribe({"mail", 1, 1h});
  create(1s, "mail");
  advance(1s);
  kill();
  open();
  const auto worker = partition->subscribe({"mail", 1, 1h});
  settle();
  ASSERT_EQ(jobs_of(worker).size(), 1u);
  EXPECT_EQ(jobs_of(worker)[0].activation(), 2u);
}

TEST_F(Loop, ProcessesNothingWhilePaused) {
  open();
  create(1s);
  partition->pause();
  submit(to_command(create_timer{.when = 1s}));
  advance(2s);
  EXPECT_EQ(triggered(), 0u);
  EXPECT_EQ(partition->next_due(), std::nullopt);
  partition->resume();
  settle();
  EXPECT_EQ(triggered(), 1u);
  advance(2s);
  EXPECT_EQ(triggered(), 2u);
}

TEST_F(Loop, HoldsWhenTheWallClockSlipsFarAhead) {
  open();
  create(72h);
  time.step_wall(24h * 365);
  partition->scan_due();
  settle();
  EXPECT_EQ(triggered(), 0u);
  EXPECT_TRUE(partition->current_status().clock_suspect);
  partition->confirm_clock();
  settle();
  EXPECT_EQ(triggered(), 1u);
  EXPECT_FALSE(partition->current_status().clock_suspect);
}

TEST_F(Loop, GoesOnWhenTheWallClockReturns) {
  open();
  create(72h);
  time.step_wall(24h * 365);
  settle();
  time.step_wall(-24h * 365);
  create(1s);
  advance(1s);
  EXPECT_EQ(triggered(), 1u);
}

// Somebody else's command must not use up the attempts of one that waits.
TEST_F(Loop, WaitsForItsWholeBackOffWhateverComesMeanwhile) {
  int attempts = 0;
  options.processors = [&] {
    std::vector<std::unique_ptr<record_processor>> result;
    result.push_back(std::make_unique<waiting_processor>(attempts));
    return result;
  };
  open();
  v1::Command command;
  command.set_value_type(static_cast<std::uint32_t>(waiting));
  command.set_intent(1);
  submit(command);
  settle();
  ASSERT_EQ(attempts, 1);
  time.advance(99ms);
  for (int i = 0; i < 10; ++i)
    create(1h);
  EXPECT_EQ(attempts, 1);
  ASSERT_EQ(partition->next_due(), time.wall() + 1ms);
  time.advance(1ms);
  settle();
  EXPECT_EQ(attempts, 2);
}

TEST_F(Loop, RefusesClientsBeyondTheBoundButNotCompletions) {
  options.in_flight_max = 1;
  open();
  const auto worker = partition->subscribe({"mail", 1, 1h});
  create(1s, "mail");
  advance(1s);
  const auto jobs = jobs_of(worker);
  ASSERT_EQ(jobs.size(), 1u);
  submit(to_command(create_timer{.when = 1h}));
  record another;
  another.record_type = record_type::command;
  another.value_type = value_type::timer;
  another.intent = {v1::TIMER_INTENT_CREATE};
  EXPECT_EQ(partition->submit(another).error().code, errc::resource_exhausted);
  submit(to_command(complete_job{{jobs[0].key()}, jobs[0].activation(), {}}));
  settle();
  EXPECT_EQ(count(value_type::job, v1::JOB_INTENT_COMPLETED), 1u);
}

} // namespace gnomon::partitions
