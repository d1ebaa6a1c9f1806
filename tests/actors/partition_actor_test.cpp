#include "gnomon/v1/timer.pb.h"
#include "tests/actors/actor_fixture.hpp"

#include <set>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

class PartitionActor : public actor_fixture {
protected:
  v1::Answer create(duration after, const std::string& target = {}) {
    return submit_one(
      to_command(create_timer{.when = after, .target = target}));
  }

  v1::WaitingRoomView waiting_room() {
    v1::Query question;
    question.mutable_waiting_room();
    return ask_query(question).waiting_room();
  }

  /// Spawns a worker that notes the payloads it gets.
  caf::actor spawn_noting_worker(const std::string& type) {
    auto worker = spawn_worker(sys, whom, type, [this](const job& given) {
      payloads.push_back(given.payload);
      return bytes{};
    });
    dispatch_messages();
    return worker;
  }

  std::vector<bytes> payloads;
};

} // namespace

TEST_F(PartitionActor, AnswersWithTheKeyAndTheDueDate) {
  open();
  const auto answer = create(1h);
  v1::TimerCreated created;
  ASSERT_TRUE(created.ParseFromString(answer.outcome().value()));
  EXPECT_EQ(created.due_ms(), (time.wall() + 1h).value);
  EXPECT_NE(answer.outcome().key(), 0u);
}

TEST_F(PartitionActor, AnswersRequestsThatCameWhileItOpened) {
  spawn();
  EXPECT_NE(create(1h).outcome().key(), 0u);
}

TEST_F(PartitionActor, AnswersAManyCommandsInTheirOrder) {
  open();
  const auto create = to_command(create_timer{.when = 1h, .name = "a"});
  const auto reply = request<submit_reply>(
    make_submit(std::vector<v1::Command>{create, create, create}));
  v1::SubmitReply answers;
  ASSERT_TRUE(reply && answers.ParseFromString(reply->content));
  ASSERT_EQ(answers.answers_size(), 3);
  EXPECT_EQ(answers.answers(0).outcome().record_type(), v1::RECORD_TYPE_EVENT);
  EXPECT_EQ(answers.answers(1).outcome().rejection_type(),
            v1::REJECTION_TYPE_ALREADY_EXISTS);
  EXPECT_EQ(answers.answers(2).outcome().rejection_type(),
            v1::REJECTION_TYPE_ALREADY_EXISTS);
}

TEST_F(PartitionActor, RefusesBytesItCannotRead) {
  open();
  const auto reply = request<submit_reply>(submit{{wire_version, "\xFF"}});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, errc::invalid_argument);
}

TEST_F(PartitionActor, TriggersOnTimeAndHandsTheJobToAWorker) {
  open();
  spawn_noting_worker("mail");
  submit_one(
    to_command(create_timer{.when = 1h, .target = "mail", .payload = "hello"}));
  advance(1h - 1ms);
  EXPECT_TRUE(payloads.empty());
  advance(1ms);
  EXPECT_EQ(payloads, (std::vector<bytes>{"hello"}));
  advance(options.job_timeout * 2);
  EXPECT_EQ(payloads.size(), 1u);
}

TEST_F(PartitionActor, TriggersAnEarlierTimerCreatedLater) {
  open();
  spawn_noting_worker("mail");
  create(1h, "mail");
  create(1min, "mail");
  advance(1min);
  EXPECT_EQ(payloads.size(), 1u);
  advance(59min);
  EXPECT_EQ(payloads.size(), 2u);
}

TEST_F(PartitionActor, OffersTheJobsOfAFallenWorkerToOthers) {
  open();
  auto silent = sys.spawn([]() -> worker::behavior_type {
    return {[](const job_push&) -> caf::result<void> {
      return caf::unit;
    }};
  });
  v1::SubscribeRequest wish;
  wish.set_type("mail");
  wish.set_capacity(1);
  auto subscribed
    = mail_as(self_.ptr(), subscribe{{wire_version, wish.SerializeAsString()}},
              silent)
        .request(whom, caf::infinite);
  dispatch_messages();
  std::move(subscribed)
    .receive([](const subscribe_reply&) {}, [](const caf::error&) {});
  create(1s, "mail");
  advance(1s);
  spawn_noting_worker("mail");
  EXPECT_TRUE(payloads.empty());
  self_->send_exit(silent, caf::exit_reason::kill);
  dispatch_messages();
  EXPECT_EQ(payloads.size(), 1u);
}

// A batch costs two readings of the clock: one for its time, one for the
// budget. At 1 ms each, 50 ms are over after 25 batches.
TEST_F(PartitionActor, YieldsAfterTheExactNumberOfBatches) {
  options.metrics = false; // Each reading of the clock counts.
  options.commands_per_batch_max = 10;
  options.yield_budget = 50ms;
  open();
  for (int i = 0; i < 1'000; ++i)
    create(1s);
  const auto before = status();
  time.advance_with_each_reading(1ms);
  advance(1s);
  const auto after = status();
  EXPECT_EQ(after.batches() - before.batches(), 100u);
  EXPECT_EQ(after.yields() - before.yields(), 4u);
}

TEST_F(PartitionActor, LetsOthersThroughDuringABurst) {
  options.metrics = false; // Each reading of the clock counts.
  options.commands_per_batch_max = 10;
  options.yield_budget = 50ms;
  open();
  for (int i = 0; i < 2'000; ++i)
    create(1s);
  time.advance_with_each_reading(1ms);
  time.advance(1s);
  advance_time(caf::timespan{1s});
  // A question behind each of the messages that make up the burst.
  v1::Query question;
  question.mutable_status();
  const auto ask = [&] {
    return mail_as(self_.ptr(), make_query(question))
      .request(whom, caf::infinite);
  };
  std::vector<decltype(ask())> asked;
  while (asked.size() < 40 && dispatch_message())
    asked.push_back(ask());
  dispatch_messages();
  std::set<std::uint64_t> seen;
  for (auto& pending : asked)
    std::move(pending).receive(
      [&](const query_reply& reply) {
        v1::QueryReply answer;
        ASSERT_TRUE(answer.ParseFromString(reply.content));
        seen.insert(answer.status().commands());
      },
      [](const caf::error&) {});
  // Before it, behind each of its 8 turns but the last, and at its end.
  EXPECT_GE(seen.size(), 8u);
  EXPECT_EQ(status().yields(), 8u);
}

TEST_F(PartitionActor, ShowsWhatWaits) {
  open();
  create(1s, "mail");
  create(1h, "mail");
  create(48h, "sms");
  time.advance(2s);
  const auto room = waiting_room();
  EXPECT_EQ(room.timers(), 3u);
  EXPECT_EQ(room.horizons().overdue(), 1u);
  ASSERT_EQ(room.targets_size(), 2);
  EXPECT_EQ(room.targets(0).target(), "mail");
  v1::Query question;
  question.mutable_list_timers()->set_target("sms");
  EXPECT_EQ(ask_query(question).list_timers().timers_size(), 1);
}

TEST_F(PartitionActor, PausesAndResumes) {
  open();
  spawn_noting_worker("mail");
  create(1s, "mail");
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_PAUSE));
  advance(1h);
  EXPECT_TRUE(payloads.empty());
  EXPECT_EQ(status().phase(), v1::PHASE_PAUSED);
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_RESUME));
  EXPECT_EQ(payloads.size(), 1u);
}

TEST_F(PartitionActor, TakesASnapshotOnRequest) {
  open();
  create(1h);
  const auto reply = control_with(v1::CONTROL_OPERATION_SNAPSHOT);
  v1::ControlReply content;
  ASSERT_TRUE(reply && content.ParseFromString(reply->content));
  EXPECT_GT(content.position(), 0u);
  EXPECT_EQ(status().snapshot_position(), content.position());
}

TEST_F(PartitionActor, HandsTheDirectoryOverOnceItHasClosed) {
  open();
  create(1h);
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_CLOSE));
  open();
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
  EXPECT_EQ(status().epoch(), 2u);
  EXPECT_EQ(waiting_room().timers(), 1u);
}

TEST_F(PartitionActor, TellsWhyItCannotOpenAndTriesAgain) {
  open();
  const auto holder = whom;
  open();
  EXPECT_EQ(status().phase(), v1::PHASE_FAILED);
  EXPECT_NE(status().last_failure().find("in_use"), std::string::npos);
  const auto refused
    = request<submit_reply>(make_submit(create_timer{.when = 1h}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::unavailable);
  self_->send_exit(holder, caf::exit_reason::user_shutdown);
  dispatch_messages();
  advance(options.reopen_delay_max);
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
}

TEST_F(PartitionActor, IsAwakeOnlyWhenSomethingIsDue) {
  open();
  create(20h);
  const auto before = status().batches();
  advance(19h);
  EXPECT_EQ(status().batches(), before);
}

} // namespace gnomon
