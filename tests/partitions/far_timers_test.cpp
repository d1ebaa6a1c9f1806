// Timers that are due on a later day: filed by the day, promoted in time.

#include "gnomon/due_index.hpp"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/timer.pb.h"
#include "jobs/job_processor.hpp"
#include "tests/partitions/partition_fixture.hpp"
#include "tests/support/pushed_jobs.hpp"

#include <algorithm>

namespace gnomon::partitions {

namespace {

using namespace std::chrono_literals;

class FarTimers : public partition_fixture {
protected:
  /// Midnight, when the clock begins.
  timestamp start = time.wall();

  std::uint64_t create(duration after, const std::string& target = {}) {
    return submit(to_command(create_timer{.when = after, .target = target}));
  }

  std::size_t triggered() {
    return count(value_type::timer, v1::TIMER_INTENT_TRIGGERED);
  }

  std::size_t promoted() {
    return count(value_type::partition,
                 v1::PARTITION_INTENT_DUE_DATES_PROMOTED);
  }

  std::uint64_t far_entries() {
    return (*partition->view())->count(due_index::far_family);
  }

  /// Returns the keys of both levels.
  std::vector<bytes> entries() {
    std::vector<bytes> result;
    for (const auto family : {due_index::near_family, due_index::far_family})
      (*partition->view())->visit(family, {}, [&](bytes_view key, bytes_view) {
        result.emplace_back(key);
        return true;
      });
    return result;
  }

  void lose_state() {
    kill();
    std::filesystem::remove_all(partition_directory / "state");
    open();
  }
};

} // namespace

TEST_F(FarTimers, TriggerAtTheDueDateAndNotBefore) {
  open();
  create(72h + 5s);
  settle();
  EXPECT_EQ(far_entries(), 1u);
  EXPECT_EQ(partition->next_due(), start + 71h);
  advance(71h - 1ms);
  EXPECT_EQ(promoted(), 0u);
  advance(1ms);
  EXPECT_EQ(promoted(), 1u);
  EXPECT_EQ(far_entries(), 0u);
  EXPECT_EQ(partition->next_due(), start + 72h + 5s);
  advance(1h + 5s - 1ms);
  EXPECT_EQ(triggered(), 0u);
  advance(1ms);
  EXPECT_EQ(triggered(), 1u);
  EXPECT_EQ(partition->next_due(), std::nullopt);
}

TEST_F(FarTimers, LeaveNothingWhenTheyAreCanceled) {
  open();
  const auto request = create(72h);
  settle();
  submit(to_command(cancel_timer{key_of(request)}));
  settle();
  EXPECT_EQ(due_index::count(**partition->view()), 0u);
  EXPECT_EQ(partition->next_due(), std::nullopt);
}

TEST_F(FarTimers, OverdueForDaysTriggerOldestFirst) {
  open();
  for (int i = 0; i < 2'500; ++i)
    create(48h + 1s * ((i * 7'919) % 200'000), "mail");
  settle();
  close();
  time.advance(240h);
  open();
  partition->subscribe({"mail", 5'000, 1h});
  advance(0ms);
  std::vector<std::int64_t> due;
  for (const auto& what : deliveries)
    for (const auto& each : test::pushed_jobs(what))
      due.push_back(each.job.created().due_ms());
  EXPECT_EQ(due.size(), 2'500u);
  EXPECT_TRUE(std::ranges::is_sorted(due));
}

TEST_F(FarTimers, AreNotMissedWhenTheyCameAfterTheirDayWasPromoted) {
  open();
  create(24h + 1s);
  settle();
  advance(23h);
  EXPECT_EQ(promoted(), 1u);
  create(1h + 2s);
  settle();
  EXPECT_EQ(far_entries(), 0u);
  advance(1h + 1s);
  EXPECT_EQ(triggered(), 1u);
  advance(1s);
  EXPECT_EQ(triggered(), 2u);
  EXPECT_EQ(promoted(), 1u);
}

TEST_F(FarTimers, ArePromotedInSlicesThatLetClientsThrough) {
  options.commands_per_batch_max = 1;
  open();
  for (int i = 0; i < 2'500; ++i)
    create(72h);
  settle();
  time.advance(71h);
  partition->scan_due();
  ASSERT_TRUE(partition->step());
  EXPECT_EQ(far_entries(), 1'500u);
  const auto request = create(1h);
  ASSERT_TRUE(partition->step());
  sync();
  EXPECT_NE(answer_to(request), nullptr);
  EXPECT_EQ(far_entries(), 1'500u);
  settle();
  EXPECT_EQ(far_entries(), 0u);
  EXPECT_EQ(promoted(), 3u);
}

TEST_F(FarTimers, AreTheSameAfterARebuildFromTheLog) {
  open();
  for (int i = 0; i < 1'500; ++i)
    create(72h + 1s * i);
  settle();
  time.advance(71h);
  partition->scan_due();
  ASSERT_TRUE(partition->step());
  EXPECT_EQ(far_entries(), 500u);
  create(72h);
  settle();
  EXPECT_EQ(far_entries(), 1u);
  const auto before = entries();
  lose_state();
  EXPECT_EQ(entries(), before);
  advance(26h);
  EXPECT_EQ(triggered(), 1'500u);
}

} // namespace gnomon::partitions
