#include "jobs/job_queries.hpp"
#include "tests/engine/probe_processor.hpp"
#include "tests/partitions/driven_partition.hpp"
#include "timers/timer_queries.hpp"

#include <chrono>
#include <filesystem>

using namespace gnomon;
using namespace std::chrono_literals;

namespace fs = std::filesystem;

namespace {

class Recovery : public test::PartitionTest {
protected:
  std::size_t timers_waiting() {
    return timers::list_timers(**partition.core().view(), {}, {},
                               {.results_max = 10'000})
      .timers.size();
  }

  std::uint64_t jobs_waiting() {
    return jobs::count_jobs(**partition.core().view(), 1'000).jobs;
  }

  create_timer timer_after(duration delay) const {
    return {.when = clock.wall() + delay, .target = "greet"};
  }

  void create_timers(int count, duration delay) {
    for (int i = 0; i < count; ++i)
      partition.submit(timer_after(delay));
    partition.run();
  }

  /// Copies the partition's directory, without its state, and opens the copy.
  void open_copy_without_state(test::driven_partition& copy) {
    const auto state = partition.state_directory();
    partition.kill();
    fs::copy(partition.options.directory, copy.options.directory,
             fs::copy_options::recursive);
    ASSERT_GT(
      fs::remove_all(copy.options.directory
                     / fs::relative(state, partition.options.directory)),
      0u);
    copy.open();
    partition.open();
  }

  std::size_t segment_count() {
    return partition.core().storage().log().segments().size();
  }

  /// Processes a command, but not the follow-up that it leads to.
  void process_half() {
    v1::Command command;
    command.set_value_type(static_cast<std::uint32_t>(test::probe_type));
    command.set_intent(test::probe_run.value);
    command.set_value("follow x");
    partition.submit(command);
    ASSERT_TRUE(partition.core().step());
    ASSERT_EQ(partition.core().current_status().pending, 1u);
  }

  void reopen_with_small_segments(std::uint32_t commands_per_batch_max) {
    partition.close();
    partition.options.commands_per_batch_max = commands_per_batch_max;
    partition.options.batch_bytes_max = 150 << 10;
    partition.options.segment_bytes = 300 << 10;
    partition.open();
  }
};

} // namespace

TEST_F(Recovery, KeepsTimersOverACleanClose) {
  create_timers(3, 1h);
  partition.close();
  clock.advance(30min);
  partition.open();
  EXPECT_EQ(partition.core().opening_report(), "");
  EXPECT_EQ(timers_waiting(), 3u);
  partition.run();
  EXPECT_EQ(jobs_waiting(), 0u);
  clock.advance(30min);
  partition.run();
  EXPECT_EQ(jobs_waiting(), 3u);
}

TEST_F(Recovery, TriggersOnceWhatWasAcknowledgedBeforeAKill) {
  const auto request = partition.submit(timer_after(1s));
  partition.run();
  ASSERT_TRUE(partition.has_answer(request));
  partition.kill();
  clock.advance(1s);
  partition.open();
  partition.run();
  EXPECT_EQ(jobs_waiting(), 1u);
  partition.kill();
  partition.open();
  partition.run();
  EXPECT_EQ(timers_waiting(), 0u);
  EXPECT_EQ(jobs_waiting(), 1u);
}

TEST_F(Recovery, BeginsAnEpochEachTimeItOpens) {
  const auto first = partition.core().current_status().epoch;
  partition.kill();
  partition.open();
  EXPECT_EQ(partition.core().current_status().epoch, first + 1);
}

TEST_F(Recovery, RefusesASecondOwner) {
  test::driven_partition second{clock, partition.options};
  EXPECT_EQ(second.try_open().error().code, errc::in_use);
  partition.kill();
  EXPECT_TRUE(second.try_open());
}

TEST_F(Recovery, RefusesAnotherPartitionCount) {
  partition.close();
  auto options = partition.options;
  options.partition_count = 2;
  test::driven_partition other{clock, options};
  EXPECT_EQ(other.try_open().error().code, errc::wrong_identity);
  partition.open();
}

TEST_F(Recovery, RebuildsTheSameStateFromTheLog) {
  create_timers(10, 1s);
  create_timers(10, 1h);
  clock.advance(1s);
  partition.core().subscribe({"greet", 4, 1min});
  partition.run();
  for (const auto& each : partition.take_jobs())
    partition.submit(complete_job{{each.job.key()}, 1});
  partition.run();
  test::driven_partition copy{clock, options_for("copy")};
  open_copy_without_state(copy);
  EXPECT_EQ(copy.content_hash(), partition.content_hash());
  copy.run();
  partition.run();
  EXPECT_EQ(copy.content_hash(), partition.content_hash());
}

TEST_F(Recovery, RebuildsFromASnapshotWhenTheLogIsCompacted) {
  reopen_with_small_segments(1'000);
  while (segment_count() < 3)
    create_timers(100, 1h);
  partition.take_snapshot();
  const auto before = segment_count();
  create_timers(100, 1h);
  const auto retired = partition.take_snapshot();
  ASSERT_EQ(retired.kept.size(), 2u);
  ASSERT_LT(segment_count(), before);
  ASSERT_GT(partition.core().storage().log().first_position(), position{1});
  create_timers(5, 2h);
  const auto timers = timers_waiting();
  test::driven_partition copy{clock, options_for("copy")};
  open_copy_without_state(copy);
  EXPECT_EQ(timers_waiting(), timers);
  EXPECT_EQ(copy.content_hash(), partition.content_hash());
}

// A follow-up command that was not processed when a snapshot was taken is in
// the log only, below the position of the snapshot.
TEST_F(Recovery, KeepsTheCommandsThatASnapshotHasStillToProcess) {
  partition.options.processors = [] {
    std::vector<std::unique_ptr<record_processor>> result;
    result.push_back(std::make_unique<test::probe_processor>());
    return result;
  };
  reopen_with_small_segments(1);
  for (int i = 0; i < 3; ++i) {
    partition.run();
    process_half();
    partition.take_snapshot();
    test::driven_partition copy{clock, options_for("copy" + std::to_string(i))};
    copy.options.processors = partition.options.processors;
    copy.options.commands_per_batch_max = 1;
    open_copy_without_state(copy);
    EXPECT_EQ(partition.core().current_status().pending, 1u);
    EXPECT_EQ(copy.content_hash(), partition.content_hash());
    copy.run();
    EXPECT_EQ(copy.core().current_status().pending, 0u);
  }
}

// After opening, the active segment counts as if it were full.
TEST_F(Recovery, WantsASnapshotOnceTheLogHasGrown) {
  partition.close();
  partition.options.snapshot_log_bytes
    = partition.options.segment_bytes + (64 << 10);
  partition.open();
  create_timers(1, 1h);
  EXPECT_FALSE(partition.core().wants_snapshot());
  create_timers(1'000, 1h);
  EXPECT_TRUE(partition.core().wants_snapshot());
  partition.take_snapshot();
  EXPECT_FALSE(partition.core().wants_snapshot());
}

TEST_F(Recovery, OffersTheJobsOfFormerActivationsAgain) {
  partition.core().subscribe({"greet", 1, 1min});
  create_timers(1, 0ms);
  ASSERT_EQ(partition.take_jobs().size(), 1u);
  partition.kill();
  partition.open();
  const auto worker = partition.core().subscribe({"greet", 1, 1min});
  partition.run();
  const auto pushed = partition.take_jobs();
  ASSERT_EQ(pushed.size(), 1u);
  EXPECT_EQ(pushed[0].worker, worker);
  EXPECT_EQ(pushed[0].job.activation(), 2u);
  const auto stale = partition.submit(complete_job{{pushed[0].job.key()}, 1});
  partition.run();
  EXPECT_EQ(partition.answer_to(stale).record_type,
            record_type::command_rejection);
}

TEST_F(Recovery, GivesARepeatedCommandItsFirstAnswer) {
  auto command = timer_after(1h);
  command.idempotency_key = "once";
  const auto first = partition.submit(command);
  partition.run();
  const auto created = partition.answer_to(first);
  partition.kill();
  partition.open();
  const auto repeat = partition.submit(command);
  partition.run();
  const auto again = partition.answer_to(repeat);
  EXPECT_EQ(again.key, created.key);
  EXPECT_EQ(again.value, created.value);
  EXPECT_EQ(timers_waiting(), 1u);
}

TEST_F(Recovery, IsRebuiltWhenDistrusted) {
  create_timers(3, 1h);
  ASSERT_TRUE(partition.core().distrust());
  partition.kill();
  partition.open();
  EXPECT_NE(partition.core().opening_report(), "");
  EXPECT_EQ(timers_waiting(), 3u);
}
