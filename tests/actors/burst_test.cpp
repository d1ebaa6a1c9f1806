#include "gnomon/v1/timer.pb.h"
#include "tests/actors/actor_fixture.hpp"

#include <algorithm>
#include <vector>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

/// What came back to an asynchronous client; both empty so far, if nothing did.
struct outcome {
  std::optional<v1::SubmitReply> reply;
  caf::error failure;
};

class Burst : public actor_fixture {
protected:
  /// Spawns a client that submits `message`.
  std::shared_ptr<outcome> submit_by_client(submit message) {
    auto result = std::make_shared<outcome>();
    sys.spawn([=, to = whom](caf::event_based_actor* self) {
      mail_as(self, message)
        .request(to, caf::infinite)
        .then(
          [=](const submit_reply& reply) {
            result->reply.emplace().ParseFromString(reply.content);
          },
          [=](const caf::error& why) { result->failure = why; });
    });
    return result;
  }

  static submit many_timers(std::size_t count, duration after) {
    return make_submit(
      std::vector<v1::Command>(count, to_command(create_timer{.when = after})));
  }
};

} // namespace

// The scheduler of the test lets an actor go on while it has messages. What
// counts is where in the burst the command is processed.
TEST_F(Burst, ProcessesACommandOfAClientBeforeItIsOver) {
  constexpr std::uint64_t timers = 20'000;
  options.commands_per_batch_max = 100;
  options.yield_budget = 10ms;
  open();
  submit_by_client(many_timers(timers, 1s));
  dispatch_messages();
  const auto before = status().last_position();
  time.advance_with_each_reading(1ms);
  time.advance(1s);
  advance_time(caf::timespan{1s});
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(dispatch_message());
  const auto answer = submit_one(to_command(create_timer{.when = 1h}));
  const auto after = status();
  const auto burst = after.last_position() - before;
  EXPECT_GT(burst, 2 * timers);
  EXPECT_GT(answer.outcome().position(), before);
  EXPECT_LT(answer.outcome().position(), before + burst / 2);
  EXPECT_GT(after.yields(), timers / 100 / 10);
}

TEST_F(Burst, KeepsOnlySoManyRequestsWhileItOpens) {
  options.in_flight_max = 2;
  spawn();
  std::vector<std::shared_ptr<outcome>> clients;
  for (int i = 0; i < 3; ++i)
    clients.push_back(submit_by_client(make_submit(create_timer{.when = 1h})));
  dispatch_messages();
  const auto refused = [](const std::shared_ptr<outcome>& x) {
    return x->failure == errc::resource_exhausted;
  };
  EXPECT_EQ(std::ranges::count_if(clients, refused), 1);
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
  EXPECT_EQ(status().in_flight(), 0u);
}

TEST_F(Burst, RefusesSomeCommandsOfARequestThatIsTooLarge) {
  options.in_flight_max = 2;
  open();
  const auto client = submit_by_client(many_timers(3, 1h));
  dispatch_messages();
  ASSERT_TRUE(client->reply);
  EXPECT_EQ(client->reply->answers(1).error_code(), 0u);
  EXPECT_EQ(client->reply->answers(2).error_code(),
            static_cast<std::uint32_t>(errc::resource_exhausted));
}

TEST_F(Burst, AnswersWhatItHasTakenInBeforeItCloses) {
  open();
  const auto client = submit_by_client(make_submit(create_timer{.when = 1h}));
  ASSERT_TRUE(dispatch_message());
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_CLOSE));
  ASSERT_TRUE(client->reply);
  EXPECT_EQ(client->reply->answers(0).error_code(), 0u);
  const auto late
    = request<submit_reply>(make_submit(create_timer{.when = 1h}));
  EXPECT_FALSE(late);
}

TEST_F(Burst, ClosesAsSoonAsItHasOpened) {
  spawn();
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_CLOSE));
  open();
  EXPECT_EQ(status().epoch(), 2u);
}

TEST_F(Burst, DescribesATimerByItsName) {
  open();
  submit_one(to_command(create_timer{.when = 1h, .name = "tea"}));
  v1::Query question;
  question.mutable_describe_timer()->set_name("tea");
  EXPECT_EQ(ask_query(question).describe_timer().due_ms(),
            (time.wall() + 1h).value);
  question.mutable_describe_timer()->set_name("coffee");
  EXPECT_EQ(ask_query(question).describe_timer().key(), 0u);
}

} // namespace gnomon
