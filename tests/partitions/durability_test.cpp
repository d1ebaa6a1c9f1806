// What survives what.

#include "gnomon/v1/timer.pb.h"
#include "tests/partitions/partition_fixture.hpp"

namespace gnomon::partitions {

namespace {

using namespace std::chrono_literals;

v1::Command timer_in(duration after, const std::string& key = {}) {
  return to_command(
    create_timer{.when = after, .payload = "x", .idempotency_key = key});
}

class Durability : public partition_fixture {
protected:
  std::size_t triggered() {
    return count(value_type::timer, v1::TIMER_INTENT_TRIGGERED);
  }
};

} // namespace

TEST_F(Durability, AnswersOnlyWhatIsSynced) {
  open();
  const auto request = submit(timer_in(1s));
  process();
  EXPECT_TRUE(partition->take_effects().empty());
  sync();
  ASSERT_NE(answer_to(request), nullptr);
  EXPECT_EQ(answer_to(request)->record_type, record_type::event);
}

TEST_F(Durability, KeepsTimersOverACleanClose) {
  open();
  submit(timer_in(1s));
  settle();
  close();
  open();
  EXPECT_EQ(partition->opening_report(), "");
  advance(999ms);
  EXPECT_EQ(triggered(), 0u);
  advance(1ms);
  EXPECT_EQ(triggered(), 1u);
}

TEST_F(Durability, KeepsTimersWhenKilled) {
  open();
  submit(timer_in(1s));
  settle();
  kill();
  time.advance(2s);
  open();
  EXPECT_EQ(triggered(), 1u);
  kill();
  open();
  advance(1h);
  EXPECT_EQ(triggered(), 1u);
}

TEST_F(Durability, RaisesTheEpochWithEachOpening) {
  open();
  EXPECT_EQ(partition->current_status().epoch, 1u);
  close();
  open();
  EXPECT_EQ(partition->current_status().epoch, 2u);
  kill();
  open();
  EXPECT_EQ(partition->current_status().epoch, 3u);
}

TEST_F(Durability, RebuildsTheSameStateFromTheLog) {
  open();
  for (int i = 0; i < 200; ++i)
    submit(timer_in(duration{i * 100}, "key-" + std::to_string(i)));
  settle();
  advance(10s);
  kill();
  // A copied state is not the one that was stamped, so it is not trusted.
  const auto copy = directory / "copy";
  std::filesystem::create_directory(copy);
  std::filesystem::copy(directory / "FORMAT", copy / "FORMAT");
  std::filesystem::copy(partition_directory, copy / "partition-00001",
                        std::filesystem::copy_options::recursive);
  open();
  EXPECT_EQ(partition->opening_report(), "");
  const auto kept = content_hash();
  kill();
  options.directory = copy;
  open();
  EXPECT_NE(partition->opening_report(), "");
  EXPECT_EQ(content_hash(), kept);
  EXPECT_EQ(triggered(), 101u);
}

TEST_F(Durability, RebuildsTheSameStateFromASnapshotAndTheLogBehindIt) {
  open();
  for (int i = 0; i < 3'000; ++i)
    submit(timer_in(duration{1'000 + i}));
  settle();
  take_snapshot();
  submit(timer_in(1s));
  settle();
  take_snapshot();
  submit(timer_in(1s));
  settle();
  ASSERT_GT(partition->storage().log().first_position(), position{1});
  close();
  std::filesystem::remove_all(partition_directory / "state");
  std::filesystem::remove(partition_directory / "stamp");
  open();
  auto view = partition->view();
  EXPECT_EQ(due_index::count(**view), 3'002u);
  advance(10s);
  EXPECT_EQ(due_index::count(**partition->view()), 0u);
}

TEST_F(Durability, RefusesASecondOpening) {
  open();
  const auto second
    = stream_processor::open(storage::system_files(), time, options);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, errc::in_use);
}

TEST_F(Durability, RefusesADirectoryOfAnotherCount) {
  open();
  close();
  options.partition_count = 2;
  const auto other
    = stream_processor::open(storage::system_files(), time, options);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, errc::wrong_identity);
}

TEST_F(Durability, RefusesOptionsThatMakeNoSense) {
  const auto refused = [&] {
    const auto opened
      = stream_processor::open(storage::system_files(), time, options);
    return !opened && opened.error().code == errc::invalid_argument;
  };
  const auto good = options;
  options.resolution = 0ms;
  EXPECT_TRUE(refused());
  options = good;
  options.segment_bytes = 2 * options.batch_bytes_max - 1;
  EXPECT_TRUE(refused());
  options = good;
  options.batch_bytes_max = (8 << 10) - 1;
  EXPECT_TRUE(refused());
  options = good;
  options.jobs_per_activation_max = 0;
  EXPECT_TRUE(refused());
  options = good;
  options.id = {2};
  EXPECT_TRUE(refused());
  options = good;
  options.segment_bytes = 2 * options.batch_bytes_max;
  open();
}

TEST_F(Durability, AnswersARepeatedCommandAsBefore) {
  open();
  const auto first = submit(timer_in(1s, "once"));
  settle();
  const auto about = key_of(first);
  kill();
  open();
  const auto again = submit(timer_in(1s, "once"));
  settle();
  EXPECT_EQ(key_of(again), about);
  EXPECT_EQ(count(value_type::timer, v1::TIMER_INTENT_CREATED), 1u);
}

TEST_F(Durability, ForgetsARepeatedCommandAfterItsWindow) {
  open();
  const auto first = submit(timer_in(48h, "once"));
  settle();
  const auto about = key_of(first);
  advance(options.idempotency_window);
  const auto again = submit(timer_in(48h, "once"));
  settle();
  EXPECT_NE(key_of(again), about);
}

TEST_F(Durability, RollsToNewSegments) {
  open();
  for (int i = 0; i < 4'000; ++i)
    submit(timer_in(1h));
  settle();
  EXPECT_GT(partition->storage().log().segments().size(), 2u);
  kill();
  open();
  EXPECT_EQ(due_index::count(**partition->view()), 4'000u);
}

} // namespace gnomon::partitions
