#include "messages/record_codec.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::test;
using engine::replay_frame;
using engine::replay_state_machine;

namespace {

replay_frame frame_of(const engine_under_test& partition, std::size_t index) {
  const auto& kept = partition.log.frames()[index];
  return {kept.body(), kept.chain};
}

template <class T>
errc code_of(const result<T>& done) {
  return done ? errc::none : done.error().code;
}

// A partition with one frame per command.
engine_under_test& with_frames(engine_under_test& partition,
                               std::initializer_list<const char*> values) {
  for (const auto* value : values)
    EXPECT_TRUE(partition.ask(probe_command(value)));
  partition.run();
  return partition;
}

constexpr engine::engine_options one_each{.commands_per_batch_max = 1};

} // namespace

TEST(Replay, GivesTheStateOfLiveProcessing) {
  engine_under_test partition{one_each};
  with_frames(partition, {"key", "follow end", "reject", "throw", "silent"});
  auto again = replay_prefix(partition.map, partition.log,
                             partition.log.frames().size());
  EXPECT_EQ(again.state.dump(), partition.state.dump());
  EXPECT_EQ(again.end.book, partition.live->bookkeeping());
  EXPECT_TRUE(again.end.outstanding.empty());
}

TEST(Replay, FindsOutstandingCommandsBehindTheLastProcessedOne) {
  engine_under_test partition{one_each};
  with_frames(partition, {"follow follow end"});
  ASSERT_EQ(partition.log.frames().size(), 3u);
  const auto again = replay_prefix(partition.map, partition.log, 1);
  ASSERT_EQ(again.end.outstanding.size(), 1u);
  EXPECT_EQ(again.end.outstanding[0], partition.log.records()[2]);
  EXPECT_EQ(again.end.book.last_processed, position{1});
  EXPECT_EQ(again.end.book.last_applied, position{3});
}

TEST(Replay, FindsOutstandingCommandsBelowTheLastAppliedPosition) {
  engine_under_test partition{one_each};
  ASSERT_TRUE(partition.ask(probe_command("follow end")));
  partition.batch();
  partition.start();
  EXPECT_EQ(partition.live->outstanding_count(), 1u);
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 E2<1 C1<1 E2<3");
}

TEST(Replay, NoticesThatOutstandingCommandsWereNotRead) {
  engine_under_test partition{one_each};
  ASSERT_TRUE(partition.ask(probe_command("follow end")));
  partition.batch();
  replay_state_machine replay{partition.map, partition.state,
                              partition.live->bookkeeping()};
  EXPECT_EQ(replay.read_from(), position{2});
  EXPECT_EQ(code_of(replay.finish()), errc::lost_data);
}

TEST(Replay, GoesOnBehindTheLastAppliedPosition) {
  engine_under_test partition{one_each};
  with_frames(partition, {"a", "b"});
  auto half = replay_prefix(partition.map, partition.log, 1);
  replay_state_machine replay{partition.map, half.state, half.end.book};
  EXPECT_EQ(replay.read_from(), position{3});
  ASSERT_TRUE(replay.replay(frame_of(partition, 0)));
  ASSERT_TRUE(replay.replay(frame_of(partition, 1)));
  ASSERT_TRUE(replay.finish());
  EXPECT_EQ(half.state.dump(), partition.state.dump());
}

TEST(Replay, CommitsInBetweenAndGivesTheSame) {
  engine_under_test partition{one_each};
  with_frames(partition, {"key", "follow end", "a", "b", "c"});
  memory_state state;
  replay_state_machine replay{partition.map, state, {}, 3};
  for (std::size_t i = 0; i < partition.log.frames().size(); ++i)
    ASSERT_TRUE(replay.replay(frame_of(partition, i)));
  ASSERT_TRUE(replay.finish());
  EXPECT_GE(state.commit_count, 3u);
  EXPECT_EQ(state.dump(), partition.state.dump());
}

TEST(Replay, WritesNoRecordsAndDecidesNothing) {
  engine_under_test partition;
  with_frames(partition, {"a", "deliver x"});
  const auto before = partition.probe.process_count;
  replay_prefix(partition.map, partition.log, 1);
  EXPECT_EQ(partition.probe.process_count, before);
  EXPECT_EQ(partition.log.frames().size(), 1u);
}

TEST(Replay, RefusesAGapAndARepetition) {
  engine_under_test partition{one_each};
  with_frames(partition, {"a", "b", "c"});
  memory_state state;
  replay_state_machine replay{partition.map, state, {}};
  ASSERT_TRUE(replay.replay(frame_of(partition, 0)));
  EXPECT_EQ(code_of(replay.replay(frame_of(partition, 2))), errc::corrupted);
  EXPECT_EQ(code_of(replay.replay(frame_of(partition, 0))), errc::corrupted);
  memory_state other;
  replay_state_machine late{partition.map, other, {}};
  EXPECT_EQ(code_of(late.replay(frame_of(partition, 1))), errc::corrupted);
}

TEST(Replay, RefusesAStateThatEndsInsideAFrame) {
  engine_under_test partition;
  with_frames(partition, {"a", "b"});
  memory_state state;
  storage::state_bookkeeping inside{{2}, {}, {1}, 1, {}};
  replay_state_machine replay{partition.map, state, inside};
  EXPECT_EQ(code_of(replay.replay(frame_of(partition, 0))), errc::corrupted);
}

TEST(Replay, RefusesEventsThatNobodyApplies) {
  engine_under_test partition;
  with_frames(partition, {"a"});
  const auto nobody = engine::record_processor_map::make({});
  ASSERT_TRUE(nobody);
  memory_state state;
  replay_state_machine replay{*nobody, state, {}};
  EXPECT_EQ(code_of(replay.replay(frame_of(partition, 0))),
            errc::format_too_new);
  EXPECT_TRUE(state.dump().empty());
}

TEST(Replay, RefusesOutstandingCommandsThatNobodyDecides) {
  engine_under_test partition;
  auto command = probe_command("a");
  command.intent = nobody_knows;
  bytes encoded;
  messages::encode_record(typed_record{command}, encoded);
  memory_state state;
  replay_state_machine replay{partition.map, state, {}};
  ASSERT_TRUE(replay.replay({{{1}, 1, 1, encoded}, {}}));
  EXPECT_EQ(code_of(replay.finish()), errc::format_too_new);
}

TEST(Replay, RefusesEveryDamageWithoutTouchingTheState) {
  engine_under_test partition;
  with_frames(partition, {"a", "b"});
  const auto& kept = partition.log.frames()[0];
  const auto try_frame = [&](storage::frame_body body) {
    memory_state state;
    replay_state_machine replay{partition.map, state, {}};
    const auto done = replay.replay({body, {}});
    EXPECT_TRUE(done || state.dump().empty());
    EXPECT_TRUE(done || !state.is_open());
    return code_of(done);
  };
  for (std::size_t length = 0; length < kept.records.size(); ++length) {
    auto body = kept.body();
    body.records = body.records.substr(0, length);
    EXPECT_EQ(try_frame(body), errc::corrupted);
  }
  auto body = kept.body();
  body.record_count = 3;
  EXPECT_EQ(try_frame(body), errc::corrupted);
  body.record_count = 0;
  EXPECT_EQ(try_frame(body), errc::corrupted);
  body = kept.body();
  body.next_key = 0;
  EXPECT_EQ(try_frame(body), errc::corrupted);
  body.next_key = key::counter_max + 2;
  EXPECT_EQ(try_frame(body), errc::corrupted);
  EXPECT_EQ(try_frame(kept.body()), errc::none);
}

TEST(Replay, RefusesAnAnswerWithoutItsCommand) {
  engine_under_test partition;
  auto outcome = probe_command("a");
  outcome.record_type = record_type::event;
  outcome.intent = probe_ran;
  outcome.idempotency_key = "once";
  bytes encoded;
  messages::encode_record(typed_record{outcome}, encoded);
  memory_state state;
  replay_state_machine replay{partition.map, state, {}};
  EXPECT_EQ(code_of(replay.replay({{{1}, 1, 1, encoded}, {}})),
            errc::corrupted);
}

TEST(Replay, ReportsAFailureOfTheState) {
  engine_under_test partition;
  with_frames(partition, {"a"});
  memory_state state;
  state.write_fault = {error{errc::io_error, "bad sector"}};
  replay_state_machine replay{partition.map, state, {}};
  EXPECT_EQ(code_of(replay.replay(frame_of(partition, 0))), errc::io_error);
}
