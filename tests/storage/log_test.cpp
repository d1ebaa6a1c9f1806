// Writing, syncing, rolling and compacting.

#include "tests/storage/log_fixture.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace gnomon::storage {

namespace {

class Log : public testing::Test {
protected:
  void SetUp() override {
    auto opened = open_log(*files);
    ASSERT_TRUE(opened) << to_string(opened.error());
    target = *std::move(opened);
  }

  void reopen() {
    target.reset();
    auto opened = open_log(*files);
    ASSERT_TRUE(opened) << to_string(opened.error());
    target = *std::move(opened);
  }

  std::unique_ptr<test::memory_file_system> files = partition_files();
  std::unique_ptr<log> target;
};

} // namespace

TEST_F(Log, BeginsEmptyAtPositionOne) {
  EXPECT_TRUE(target->report().created);
  EXPECT_EQ(target->last_position(), position{0});
  EXPECT_EQ(target->first_position(), position{1});
  EXPECT_EQ(target->chain(), chain_value{});
  EXPECT_EQ(target->next_key(), 1u);
}

TEST_F(Log, RemembersWhereItEnds) {
  target->begin_epoch(4);
  ASSERT_TRUE(append_and_sync(*target, 3));
  ASSERT_TRUE(append_and_sync(*target, 2));
  const auto chain = target->chain();

  reopen();

  EXPECT_FALSE(target->report().created);
  EXPECT_EQ(target->last_position(), position{5});
  EXPECT_EQ(target->durable_position(), position{5});
  EXPECT_EQ(target->chain(), chain);
  EXPECT_EQ(target->next_key(), 6u);
  EXPECT_EQ(target->last_epoch(), 4u);
  EXPECT_EQ(to_string(target->report()), "");
}

TEST_F(Log, WrittenIsNotDurable) {
  ASSERT_TRUE(append(*target));
  EXPECT_EQ(target->last_position(), position{1});
  EXPECT_EQ(target->durable_position(), position{0});
  ASSERT_TRUE(target->sync());
  EXPECT_EQ(target->durable_position(), position{1});
}

TEST_F(Log, OverlappingSyncsMoveTheDurablePositionOnlyForward) {
  ASSERT_TRUE(append(*target));
  auto early = target->begin_sync();
  ASSERT_TRUE(append(*target));
  auto late = target->begin_sync();
  ASSERT_TRUE(append(*target));

  ASSERT_TRUE(target->end_sync(late, late.run()));
  EXPECT_EQ(target->durable_position(), position{2});
  ASSERT_TRUE(target->end_sync(early, early.run()));
  EXPECT_EQ(target->durable_position(), position{2});
}

TEST_F(Log, SyncsInAnotherThreadWhileItWrites) {
  ASSERT_TRUE(append(*target));
  for (int round = 0; round < 200; ++round) {
    auto ticket = target->begin_sync();
    result<void> outcome;
    std::thread other{[&] {
      outcome = ticket.run();
    }};
    ASSERT_TRUE(append(*target));
    other.join();
    ASSERT_TRUE(target->end_sync(ticket, outcome));
    ASSERT_EQ(target->durable_position(), ticket.up_to());
  }
}

TEST_F(Log, RefusesFramesAboveTheLimitAndGoesOn) {
  const auto body_bytes_max
    = small_options().frame_bytes_max - frame_header_bytes;
  const bytes records(body_bytes_max + 1, 'r');

  const auto refused = target->seal({{1}, 1, 1, records});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::exceeded_batch_size);

  ASSERT_TRUE(
    target->seal({{1}, 1, 1, bytes_view{records}.substr(0, body_bytes_max)}));
  EXPECT_TRUE(target->write());
}

TEST_F(Log, SealingAgainReplacesTheFrame) {
  ASSERT_TRUE(target->seal({{1}, 7, 9, "first try"}));
  const auto chain = target->seal({{1}, 1, 2, "second try"});
  ASSERT_TRUE(chain);
  ASSERT_TRUE(target->write());

  EXPECT_EQ(target->chain(), *chain);
  EXPECT_EQ(target->last_position(), position{1});
  const auto frames = read_frames(*files);
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 1u);
  EXPECT_EQ(frames->front().body, "second try");
}

TEST_F(Log, MustRollOnceAFrameDoesNotFit) {
  EXPECT_FALSE(target->must_roll(1'000'000)); // an empty segment takes all
  ASSERT_TRUE(append(*target));
  const auto used = segment_header_bytes + frame_size(40);
  EXPECT_FALSE(target->must_roll(1024 - used));
  EXPECT_TRUE(target->must_roll(1024 - used + 1));
}

TEST_F(Log, ChainsFramesAcrossSegments) {
  ASSERT_TRUE(append(*target));
  const auto chain = target->chain();
  ASSERT_TRUE(target->roll());
  EXPECT_EQ(target->durable_position(), position{1});
  EXPECT_EQ(target->chain(), chain);
  ASSERT_TRUE(append_and_sync(*target));

  const auto frames = read_frames(*files);
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 2u);
  EXPECT_EQ(frames->back().header.previous, chain);
  EXPECT_EQ(target->segments(), (std::vector<position>{{1}, {2}}));
}

TEST_F(Log, ReopensBehindARollWithoutFrames) {
  target->begin_epoch(2);
  ASSERT_TRUE(append(*target, 3));
  const auto chain = target->chain();
  ASSERT_TRUE(target->roll());

  reopen();

  EXPECT_EQ(target->last_position(), position{3});
  EXPECT_EQ(target->chain(), chain);
  EXPECT_EQ(target->next_key(), 4u);
  EXPECT_EQ(target->last_epoch(), 2u);
}

TEST_F(Log, TakesAFrameLargerThanASegment) {
  ASSERT_TRUE(append(*target, 1, 5000));
  ASSERT_TRUE(target->sync());
  ASSERT_TRUE(target->roll());
  ASSERT_TRUE(append_and_sync(*target));
  reopen();
  EXPECT_EQ(target->last_position(), position{2});
}

TEST_F(Log, CompactsWholeSegmentsBelowButNeverTheActiveOne) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(append(*target, 2));
    ASSERT_TRUE(target->roll());
  }
  // Segments begin at 1, 3, 5, and 7, which is active and empty.
  const auto deleted_below = [&](std::uint64_t below) {
    const auto deleted = target->compact({below});
    EXPECT_TRUE(deleted);
    return deleted ? *deleted : 99;
  };
  EXPECT_EQ(deleted_below(2), 0u);
  EXPECT_EQ(deleted_below(3), 1u);
  EXPECT_EQ(target->first_position(), position{3});
  EXPECT_EQ(deleted_below(6), 1u);
  EXPECT_EQ(deleted_below(100), 1u);
  EXPECT_EQ(target->segments(), (std::vector<position>{{7}}));

  const auto chain = target->chain();
  reopen();
  EXPECT_EQ(target->first_position(), position{7});
  EXPECT_EQ(target->last_position(), position{6});
  EXPECT_EQ(target->chain(), chain);
  EXPECT_EQ(target->next_key(), 7u);
}

TEST_F(Log, AFullDeviceIsNoPoison) {
  // Not even one byte of the frame fits.
  ASSERT_TRUE(
    append(*target, 1, 1024 - segment_header_bytes - frame_header_bytes));
  files->limit_bytes(files->used_bytes());
  const auto refused = append(*target);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::out_of_space);
  EXPECT_FALSE(target->is_poisoned());

  files->limit_bytes(UINT64_MAX);
  EXPECT_TRUE(target->write());
  EXPECT_TRUE(target->sync());
  reopen();
  EXPECT_EQ(target->last_position(), position{2});
}

TEST_F(Log, CutsThePartThatFittedOntoAFullDevice) {
  ASSERT_TRUE(
    append(*target, 1, 1024 - segment_header_bytes - frame_header_bytes));
  files->limit_bytes(files->used_bytes() + 100);
  const auto refused = append(*target);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::out_of_space);
  EXPECT_EQ(files->content(segment_path(1)).size(), 1024u);

  files->limit_bytes(UINT64_MAX);
  ASSERT_TRUE(append_and_sync(*target));
  reopen();
  EXPECT_EQ(target->last_position(), position{2});
}

TEST_F(Log, ARollOnAFullDeviceMayBeTriedAgain) {
  ASSERT_TRUE(append(*target));
  files->limit_bytes(files->used_bytes());
  const auto refused = target->roll();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::out_of_space);
  EXPECT_FALSE(target->is_poisoned());
  EXPECT_EQ(target->segments().size(), 1u);
  EXPECT_EQ(files->list(log_directory)->size(), 1u);

  files->limit_bytes(UINT64_MAX);
  ASSERT_TRUE(append_and_sync(*target));
  ASSERT_TRUE(target->roll());
  ASSERT_TRUE(append_and_sync(*target));
  reopen();
  EXPECT_EQ(target->last_position(), position{3});
}

TEST_F(Log, RefusesOptionsThatCannotWork) {
  auto options = small_options();
  options.frame_bytes_max = frame_bytes_limit + 1;
  const auto opened = log::open(*files, log_directory, options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::invalid_argument);
}

TEST_F(Log, BreaksNoSyncOrder) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(append_and_sync(*target));
    ASSERT_TRUE(target->roll());
  }
  ASSERT_TRUE(target->compact({3}));
  reopen();
  EXPECT_EQ(files->violations(), std::vector<std::string>{});
}

namespace {

/// Opens a log over a faulty file system and breaks the n-th call from then on.
class PoisonedLog : public testing::Test {
protected:
  void SetUp() override {
    auto opened = open_log(faulty);
    ASSERT_TRUE(opened) << to_string(opened.error());
    target = *std::move(opened);
    ASSERT_TRUE(append_and_sync(*target));
  }

  void expect_poisoned() {
    EXPECT_TRUE(target->is_poisoned());
    const auto chain = target->seal({{2}, 1, 1, "records"});
    ASSERT_FALSE(chain);
    EXPECT_EQ(chain.error().code, errc::io_error);
    EXPECT_EQ(target->write().error().code, errc::io_error);
    EXPECT_EQ(target->sync().error().code, errc::io_error);
    EXPECT_EQ(target->roll().error().code, errc::io_error);
    EXPECT_EQ(target->compact({1}).error().code, errc::io_error);
  }

  std::unique_ptr<test::memory_file_system> files = partition_files();
  test::faulty_file_system faulty{*files};
  std::unique_ptr<log> target;
};

} // namespace

TEST_F(PoisonedLog, AfterAFailedWrite) {
  faulty.inject({test::fault::kind::once, 1, errc::io_error});
  EXPECT_FALSE(append(*target));
  expect_poisoned();
}

TEST_F(PoisonedLog, AfterAFailedSyncAlthoughTheNextWouldSucceed) {
  faulty.inject({test::fault::kind::once, 2, errc::io_error});
  EXPECT_FALSE(append_and_sync(*target));
  EXPECT_EQ(target->durable_position(), position{1});
  EXPECT_EQ(target->write().error().code, errc::io_error);
  EXPECT_EQ(target->sync().error().code, errc::io_error);
  EXPECT_EQ(target->durable_position(), position{1});
}

TEST_F(PoisonedLog, AFailedSyncFailsThoseBehindItWhateverOrderTheyEndIn) {
  ASSERT_TRUE(append(*target));
  auto early = target->begin_sync();
  auto late = target->begin_sync();
  faulty.inject({test::fault::kind::once, 1, errc::io_error});
  const auto early_outcome = early.run();
  const auto late_outcome = late.run();
  EXPECT_FALSE(early_outcome);
  EXPECT_FALSE(late_outcome);
  EXPECT_FALSE(target->end_sync(late, late_outcome));
  EXPECT_EQ(target->durable_position(), position{1});
}

TEST_F(PoisonedLog, ForgetsWhatTheFailedSyncLostOnceReopened) {
  faulty.inject({test::fault::kind::once, 2, errc::io_error});
  EXPECT_FALSE(append_and_sync(*target));
  target.reset();

  auto again = open_log(*files);

  // The cache still showed the frame, but it is not on the disk.
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->last_position(), position{1});
}

TEST_F(PoisonedLog, AfterAPartialWriteThatCannotBeUndone) {
  // The write runs out of space half way, then the truncation fails.
  faulty.inject({test::fault::kind::sticky, 1, errc::out_of_space});
  const auto outcome = append(*target);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, errc::io_error);
  EXPECT_TRUE(target->is_poisoned());
}

} // namespace gnomon::storage
