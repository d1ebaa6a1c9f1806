// Users' code that throws, workers that ask twice, and ends at odd moments.

#include "gnomon/v1/job.pb.h"
#include "storage/stamp.hpp"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/failing_syncs.hpp"
#include "tests/engine/probe_processor.hpp"

#include <stdexcept>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

class Trouble : public actor_fixture {
protected:
  Trouble() {
    running = std::make_unique<host>(sys, time, files);
    running->start();
  }

  ~Trouble() override {
    self_->send_exit(whom, caf::exit_reason::user_shutdown);
    whom = nullptr;
    dispatch_messages();
  }

  /// Sends `message` and lets nobody work yet.
  template <class Message>
  auto send(Message message) {
    return mail_as(self_.ptr(), std::move(message))
      .request(whom, caf::infinite);
  }

  /// Returns what became of a request to create a timer.
  template <class Pending>
  errc outcome_of(Pending pending) {
    auto code = errc::none;
    std::move(pending).receive(
      [&](const submit_reply& reply) {
        v1::SubmitReply content;
        EXPECT_TRUE(content.ParseFromString(reply.content));
        code = static_cast<errc>(content.answers(0).error_code());
      },
      [&](const caf::error& why) { code = static_cast<errc>(why.code()); });
    return code;
  }

  bool is_stamped_clean() const {
    const auto found = storage::read_stamp(
      storage::system_files(), directory / "partition-00001" / "stamp");
    return found && *found && (*found)->clean;
  }

  test::failing_syncs files{storage::system_files()};
};

} // namespace

TEST_F(Trouble, AnswersAQueryWhoseStateWasNeverDurable) {
  open();
  files.fail_next();
  auto created = send(make_submit(create_timer{.when = 1h}));
  ASSERT_TRUE(dispatch_message());
  ASSERT_TRUE(dispatch_message());
  v1::Query question;
  question.mutable_list_timers();
  auto asked = send(make_query(question));
  dispatch_messages();
  EXPECT_EQ(outcome_of(std::move(created)), errc::io_error);
  auto code = errc::none;
  std::move(asked).receive(
    [](const query_reply&) { ADD_FAILURE() << "it saw what is not durable"; },
    [&](const caf::error& why) { code = static_cast<errc>(why.code()); });
  EXPECT_EQ(code, errc::io_error);
}

TEST_F(Trouble, AnswersWhatIsInTheLogWhenItIsPausedAndClosed) {
  open();
  auto created = send(make_submit(create_timer{.when = 1h}));
  ASSERT_TRUE(dispatch_message());
  ASSERT_TRUE(dispatch_message());
  [[maybe_unused]] auto paused
    = send(make_control(v1::CONTROL_OPERATION_PAUSE));
  [[maybe_unused]] auto closed
    = send(make_control(v1::CONTROL_OPERATION_CLOSE));
  dispatch_messages();
  EXPECT_EQ(outcome_of(std::move(created)), errc::none);
}

TEST_F(Trouble, AnswersWhatIsInTheLogWhenItIsToldToExit) {
  open();
  auto created = send(make_submit(create_timer{.when = 1h}));
  ASSERT_TRUE(dispatch_message());
  ASSERT_TRUE(dispatch_message());
  self_->send_exit(whom, caf::exit_reason::user_shutdown);
  dispatch_messages();
  EXPECT_EQ(outcome_of(std::move(created)), errc::none);
  EXPECT_TRUE(is_stamped_clean());
}

TEST_F(Trouble, OutlivesADeliveryThatThrows) {
  options.processors = [] {
    std::vector<std::unique_ptr<record_processor>> result;
    result.push_back(std::make_unique<test::probe_processor>());
    return result;
  };
  int deliveries = 0;
  options.on_delivery = [&](std::string_view, key, bytes_view) {
    ++deliveries;
    throw std::runtime_error("no");
  };
  open();
  v1::Command command;
  command.set_value_type(static_cast<std::uint32_t>(test::probe_type));
  command.set_intent(test::probe_run.value);
  command.set_value("deliver x");
  submit_one(command);
  EXPECT_EQ(deliveries, 1);
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
}

TEST_F(Trouble, TellsThatItsProcessorsCannotBeMade) {
  bool throws = true;
  options.processors = [&] {
    if (throws)
      throw std::runtime_error("not today");
    return std::vector<std::unique_ptr<record_processor>>{};
  };
  open();
  EXPECT_EQ(status().phase(), v1::PHASE_FAILED);
  EXPECT_NE(status().last_failure().find("not today"), std::string::npos);
  throws = false;
  advance(options.reopen_delay_max);
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
}

TEST_F(Trouble, OffersAJobAgainWhoseWorkerThrewAnything) {
  open();
  int calls = 0;
  spawn_worker(sys, whom, "mail", [&](const job&) -> bytes {
    if (++calls == 1)
      throw 1;
    return {};
  });
  dispatch_messages();
  submit_one(to_command(create_timer{.when = 1s, .target = "mail"}));
  advance(1s);
  advance(options.job_timeout);
  EXPECT_EQ(calls, 2);
}

TEST_F(Trouble, CountsAWorkerOnceThatSubscribesTwice) {
  open();
  auto silent = sys.spawn([]() -> worker::behavior_type {
    return {[](const job_push&) -> caf::result<void> {
      return caf::unit;
    }};
  });
  v1::SubscribeRequest wish;
  wish.set_type("mail");
  wish.set_capacity(1);
  for (int i = 0; i < 2; ++i) {
    auto asked
      = mail_as(self_.ptr(),
                subscribe{{wire_version, wish.SerializeAsString()}}, silent)
          .request(whom, caf::infinite);
    dispatch_messages();
    std::move(asked).receive([](const subscribe_reply&) {},
                             [](const caf::error&) { ADD_FAILURE(); });
  }
  EXPECT_EQ(status().workers(), 1u);
  self_->send_exit(silent, caf::exit_reason::kill);
  dispatch_messages();
  EXPECT_EQ(status().workers(), 0u);
}

} // namespace gnomon
