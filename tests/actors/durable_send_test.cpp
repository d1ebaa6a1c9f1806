#include "gnomon/v1/durable_send.pb.h"
#include "tests/actors/durable_send_fixture.hpp"

namespace gnomon {

namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

class DurableSend : public durable_send_fixture {
protected:
  void close_partition() {
    ASSERT_TRUE(control_with(v1::CONTROL_OPERATION_CLOSE));
    whom = nullptr;
    dispatch_messages();
  }

  /// Submits a timer as `make_durable_send` makes it, after `change`.
  template <class Change>
  void submit_changed(Change change) {
    auto command
      = make_durable_send(sys, 1s, "alice", caf::make_message("hello"s));
    ASSERT_TRUE(command);
    v1::DurableSend kept;
    ASSERT_TRUE(kept.ParseFromString(command->payload));
    change(kept);
    command->payload = kept.SerializeAsString();
    submit_one(to_command(*command));
  }

  using string = std::string;
};

} // namespace

TEST_F(DurableSend, SendsWhenItIsDueAndNotBefore) {
  open_with_sender();
  know_noting("alice");
  const auto sent = send(1h, "alice", "hello");
  ASSERT_TRUE(sent) << to_string(sent.error());
  EXPECT_EQ(sent->due, time.wall() + 1h);
  advance(1h - 1ms);
  EXPECT_TRUE(received.empty());
  advance(1ms);
  EXPECT_EQ(received, (texts{"hello"}));
}

TEST_F(DurableSend, SendsOnceWhatIsAnswered) {
  open_with_sender();
  know_noting("alice");
  ASSERT_TRUE(send(1s, "alice", "hello"));
  advance(1s);
  advance(24h);
  EXPECT_EQ(received.size(), 1u);
  EXPECT_EQ(jobs().jobs_size(), 0);
}

TEST_F(DurableSend, SendsAfterARestart) {
  open();
  ASSERT_TRUE(send(1h, "alice", "hello"));
  close_partition();
  open_with_sender();
  know_noting("alice");
  advance(1h);
  EXPECT_EQ(received, (texts{"hello"}));
}

TEST_F(DurableSend, ServesManyNamesWithOneSender) {
  open_with_sender({.capacity = 2});
  for (const auto* name : {"alice", "bob", "carol"})
    know_noting(name);
  for (int round = 0; round < 3; ++round)
    for (const auto* name : {"alice", "bob", "carol"})
      ASSERT_TRUE(send(1s, name, name));
  advance(1s);
  EXPECT_EQ(received.size(), 9u);
  EXPECT_EQ(std::ranges::count(received, "carol"), 3);
}

TEST_F(DurableSend, HandsOverWhichDeliveryItIs) {
  open_with_sender();
  know_noting("alice");
  const auto sent = send(1s, "alice", "hello", {.with_delivery = true});
  ASSERT_TRUE(sent);
  advance(1s);
  EXPECT_EQ(received, (texts{"hello"}));
  ASSERT_EQ(deliveries.size(), 1u);
  EXPECT_EQ(deliveries[0], (durable_delivery{sent->timer, 1, sent->due}));
}

TEST_F(DurableSend, SendsEveryOccurrenceWithItsNumber) {
  open_with_sender();
  know_noting("alice");
  const auto sent = ask([&](caf::event_based_actor* self, auto done) {
    send_every(self, whom, "R3/PT1M", "alice", caf::make_message("hello"s),
               {.with_delivery = true}, done);
  });
  ASSERT_TRUE(sent) << to_string(sent.error());
  for (int i = 0; i < 5; ++i)
    advance(1min);
  ASSERT_EQ(deliveries.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(deliveries[i].timer, sent->timer);
    EXPECT_EQ(deliveries[i].occurrence, i + 1);
  }
}

TEST_F(DurableSend, DoesNotSendWhatWasCalledOff) {
  open_with_sender();
  know_noting("alice");
  const auto sent = send(1h, "alice", "hello");
  ASSERT_TRUE(sent);
  const auto call_off = [&](caf::event_based_actor* self, auto done) {
    cancel_send(self, whom, sent->timer, done);
  };
  EXPECT_TRUE(ask(call_off));
  advance(2h);
  EXPECT_TRUE(received.empty());
  const auto again = ask(call_off);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, errc::not_found);
}

TEST_F(DurableSend, SendsAtTheNewTimeWhenRescheduled) {
  open_with_sender();
  know_noting("alice");
  const auto sent = send(1h, "alice", "hello");
  ASSERT_TRUE(sent);
  const auto moved = ask([&](caf::event_based_actor* self, auto done) {
    reschedule_send(self, whom, sent->timer, 2h, done);
  });
  ASSERT_TRUE(moved) << to_string(moved.error());
  EXPECT_EQ(moved->timer, sent->timer);
  EXPECT_EQ(moved->due, time.wall() + 2h);
  advance(2h - 1ms);
  EXPECT_TRUE(received.empty());
  advance(1ms + options.resolution);
  EXPECT_EQ(received.size(), 1u);
}

TEST_F(DurableSend, AnswersARepeatedWishAsBefore) {
  open_with_sender();
  know_noting("alice");
  const auto first = send(1s, "alice", "hello", {.idempotency_key = "one"});
  const auto again = send(1s, "alice", "hello", {.idempotency_key = "one"});
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->timer, again->timer);
  advance(1min);
  EXPECT_EQ(received.size(), 1u);
}

TEST_F(DurableSend, TriesAgainAfterABackOffWhenTheReceiverFails) {
  open_with_sender({.back_off = back_off{.initial = 10s}});
  know_failing("alice", 1);
  ASSERT_TRUE(send(1s, "alice", "hello"));
  advance(1s);
  EXPECT_EQ(attempts, 1u);
  advance(10s - 1ms);
  EXPECT_EQ(attempts, 1u);
  advance(1ms);
  EXPECT_EQ(attempts, 2u);
  EXPECT_EQ(received, (texts{"hello"}));
  EXPECT_EQ(jobs().jobs_size(), 0);
}

TEST_F(DurableSend, RaisesAnIncidentWhenOutOfRetries) {
  open_with_sender({.back_off = back_off{.initial = 1s}});
  know_failing("alice", 2);
  ASSERT_TRUE(send(1s, "alice", "hello", {.retries = 2}));
  advance(1s);
  EXPECT_EQ(incidents().incidents_size(), 0);
  advance(1s);
  const auto raised = incidents();
  ASSERT_EQ(raised.incidents_size(), 1);
  EXPECT_EQ(raised.incidents(0).created().job_type(), "send:alice");
  EXPECT_NE(raised.incidents(0).created().message().find("not today"),
            string::npos);
  // An operator helps.
  submit_one(to_command(update_job_retries{
    .key = {raised.incidents(0).created().job_key()}, .retries = 1}));
  submit_one(to_command(resolve_incident{{raised.incidents(0).key()}}));
  dispatch_messages();
  EXPECT_EQ(received, (texts{"hello"}));
}

TEST_F(DurableSend, TriesAgainWhenThereIsNoAnswerInTime) {
  open_with_sender({.answer_timeout = 5s, .back_off = back_off{.initial = 1s}});
  know("alice",
       sys.spawn([this](caf::event_based_actor* self) -> caf::behavior {
         // The first answer never comes.
         return {[this, self, held = std::vector<caf::response_promise>{}](
                   const std::string& text) mutable {
           auto promise = self->make_response_promise();
           if (++attempts > 1)
             promise.deliver(text);
           held.push_back(promise);
           return promise;
         }};
       }));
  ASSERT_TRUE(send(1s, "alice", "hello"));
  advance(1s);
  advance(5s - 1ms);
  EXPECT_EQ(attempts, 1u);
  advance(1ms);
  advance(1s);
  EXPECT_EQ(attempts, 2u);
  EXPECT_EQ(jobs().jobs_size(), 0);
}

TEST_F(DurableSend, TriesAgainUntilTheNameIsKnown) {
  open_with_sender({.back_off = back_off{.initial = 1s}});
  ASSERT_TRUE(send(1s, "alice", "hello"));
  advance(1s);
  const auto waiting = jobs();
  ASSERT_EQ(waiting.jobs_size(), 1);
  EXPECT_EQ(waiting.jobs(0).phase(), v1::JOB_PHASE_BACKING_OFF);
  EXPECT_EQ(waiting.jobs(0).type(), "send:alice");
  know_noting("alice");
  advance(1s);
  EXPECT_EQ(received, (texts{"hello"}));
}

TEST_F(DurableSend, TellsTheOperatorOfANameThatStaysUnknown) {
  open_with_sender({.back_off = back_off{.initial = 1s}});
  ASSERT_TRUE(send(1s, "alice", "hello", {.retries = 2}));
  advance(1s);
  EXPECT_EQ(incidents().incidents_size(), 0);
  advance(1s);
  ASSERT_EQ(incidents().incidents_size(), 1);
  EXPECT_EQ(incidents().incidents(0).created().message(),
            "send to \"alice\": no actor is known by this name");
}

TEST_F(DurableSend, ShowsNamesInTheWaitingRoom) {
  open();
  ASSERT_TRUE(send(2min, "alice", "hello"));
  ASSERT_TRUE(send(2min, "nobody", "hello"));
  v1::Query question;
  question.mutable_waiting_room();
  const auto room = ask_query(question).waiting_room();
  ASSERT_EQ(room.targets_size(), 2);
  EXPECT_EQ(room.targets(0).target(), "send:alice");
  EXPECT_EQ(room.targets(1).target(), "send:nobody");
}

TEST_F(DurableSend, RefusesAMessageThatIsTooLarge) {
  open();
  const auto content = caf::make_message(string(1'000, 'x'));
  auto command = make_durable_send(sys, 1s, "alice", content);
  ASSERT_TRUE(command);
  v1::DurableSend kept;
  ASSERT_TRUE(kept.ParseFromString(command->payload));
  const auto size = kept.content().size();
  EXPECT_TRUE(
    make_durable_send(sys, 1s, "alice", content, {.content_bytes_max = size}));
  const auto refused
    = send(1s, "alice", string(1'000, 'x'), {.content_bytes_max = size - 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
  EXPECT_EQ(refused.error().context,
            "send to \"alice\": expected a message of at most "
              + std::to_string(size - 1) + " bytes, but it has "
              + std::to_string(size));
}

TEST_F(DurableSend, RefusesAMessageToNobody) {
  open();
  const auto refused = send(1s, "", "hello");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
}

TEST_F(DurableSend, SaysWhatIsWrongWithARecurrence) {
  open();
  const auto refused = send("every now and then", "alice", "hello");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
  EXPECT_NE(refused.error().context.find("offset"), string::npos);
}

TEST_F(DurableSend, RaisesAnIncidentAtOnceForTypesItDoesNotKnow) {
  open_with_sender();
  know_noting("alice");
  submit_changed(
    [](v1::DurableSend& kept) { kept.set_types(0, "a_type_of_yesterday"); });
  advance(1s);
  ASSERT_EQ(incidents().incidents_size(), 1);
  EXPECT_NE(
    incidents().incidents(0).created().message().find("a_type_of_yesterday"),
    string::npos);
  EXPECT_TRUE(received.empty());
}

TEST_F(DurableSend, RaisesAnIncidentForAMessageOfAnotherVersionOfCaf) {
  open_with_sender();
  know_noting("alice");
  submit_changed([](v1::DurableSend& kept) { kept.set_caf_version("0.1"); });
  advance(1s);
  ASSERT_EQ(incidents().incidents_size(), 1);
  EXPECT_TRUE(received.empty());
}

TEST_F(DurableSend, RaisesAnIncidentForAPayloadThatIsNoMessage) {
  open_with_sender();
  submit_one(to_command(
    create_timer{.when = 1s, .target = "send:alice", .payload = "\xFF"}));
  advance(1s);
  EXPECT_EQ(incidents().incidents_size(), 1);
}

TEST_F(DurableSend, SurvivesBytesCutAnywhere) {
  open_with_sender({.capacity = 1});
  know_noting("alice");
  v1::DurableSend whole;
  submit_changed([&](v1::DurableSend& kept) { whole = kept; });
  const auto size = whole.content().size();
  for (std::size_t bytes = 0; bytes < size; ++bytes)
    submit_changed(
      [&](v1::DurableSend& kept) { kept.mutable_content()->resize(bytes); });
  submit_changed(
    [](v1::DurableSend& kept) { kept.mutable_content()->push_back('x'); });
  advance(1s);
  EXPECT_EQ(received, (texts{"hello"}));
  EXPECT_EQ(incidents().incidents_size(), static_cast<int>(size) + 1);
}

TEST_F(DurableSend, FindsReceiversAsTheApplicationSays) {
  know_noting("alice");
  const auto find = [this](const std::string& name) -> caf::actor {
    return name == "an alias that no registry has" ? known["alice"] : nullptr;
  };
  open_with_sender({.find = find});
  ASSERT_TRUE(send(1s, "an alias that no registry has", "hello"));
  advance(1s);
  EXPECT_EQ(received, (texts{"hello"}));
}

// The neighbours of what begins with "send:" in the order of types.
TEST_F(DurableSend, LeavesJobsOfOtherTypesAlone) {
  open_with_sender();
  for (const auto* type : {"send", "send9", "send;", "a", "z"})
    submit_one(to_command(create_job{.type = type}));
  dispatch_messages();
  const auto left = jobs();
  ASSERT_EQ(left.jobs_size(), 5);
  for (const auto& job : left.jobs())
    EXPECT_EQ(job.phase(), v1::JOB_PHASE_AVAILABLE) << job.type();
}

TEST_F(DurableSend, EndsWithItsLastAnswerWhenDrained) {
  open();
  const auto sender = spawn_sender(sys, whom);
  bool has_ended = false;
  const auto watcher = sys.spawn([&](caf::event_based_actor* self) {
    on_down(self, sender, [&](const caf::actor_addr&, const caf::error&) {
      has_ended = true;
    });
    return caf::behavior{[](const string&) {
      // Waits for the end of the sender.
    }};
  });
  caf::response_promise to_come;
  know("alice", sys.spawn([&](caf::event_based_actor* self) -> caf::behavior {
    return {
      [self, &to_come](const string&) {
        to_come = self->make_response_promise();
        return to_come;
      },
      [&to_come](int answer) { to_come.deliver(answer); },
    };
  }));
  ASSERT_TRUE(send(1s, "alice", "hello"));
  advance(1s);
  drain_worker(sys, sender);
  advance(1s);
  EXPECT_FALSE(has_ended);
  EXPECT_EQ(jobs().jobs_size(), 1);
  caf::anon_send(known["alice"], 1);
  dispatch_messages();
  EXPECT_TRUE(has_ended);
  EXPECT_EQ(jobs().jobs_size(), 0);
  self_->send_exit(watcher, caf::exit_reason::user_shutdown);
}

TEST_F(DurableSend, MaySubscribeBeforeThePartitionIsOpen) {
  spawn();
  spawn_sender(sys, whom);
  know_noting("alice");
  ASSERT_TRUE(send(1s, "alice", "hello"));
  advance(1s);
  EXPECT_EQ(received, (texts{"hello"}));
}

} // namespace gnomon
