#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/failing_syncs.hpp"

#include <vector>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

class FailedSync : public actor_fixture {
protected:
  FailedSync() {
    running = std::make_unique<host>(sys, time, files);
    running->start();
    open();
  }

  ~FailedSync() override {
    self_->send_exit(whom, caf::exit_reason::user_shutdown);
    whom = nullptr;
    dispatch_messages();
  }

  /// Creates a timer. @returns What went wrong.
  errc create() {
    const auto answer
      = submit_one(to_command(create_timer{.when = 1h, .target = "mail"}));
    return static_cast<errc>(answer.error_code());
  }

  /// Lets the sync of a command fail.
  void fail() {
    files.fail_next();
    EXPECT_EQ(create(), errc::io_error);
  }

  test::failing_syncs files{storage::system_files()};
};

} // namespace

TEST_F(FailedSync, IsAnErrorWithoutKnownOutcome) {
  fail();
  EXPECT_EQ(status().phase(), v1::PHASE_FAILED);
  EXPECT_NE(status().last_failure(), "");
  const auto refused
    = request<submit_reply>(make_submit(create_timer{.when = 1h}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::unavailable);
}

TEST_F(FailedSync, LetsThePartitionOpenAgainAfterItsDelay) {
  ASSERT_EQ(create(), errc::none);
  fail();
  advance(options.reopen_delay - 1ms);
  EXPECT_EQ(status().phase(), v1::PHASE_FAILED);
  advance(1ms);
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
  EXPECT_EQ(status().epoch(), 2u);
  EXPECT_EQ(create(), errc::none);
}

TEST_F(FailedSync, SubscribesWorkersAgain) {
  std::vector<bytes> payloads;
  spawn_worker(sys, whom, "mail", [&](const job& given) {
    payloads.push_back(given.payload);
    return bytes{};
  });
  dispatch_messages();
  ASSERT_EQ(create(), errc::none);
  fail();
  advance(options.reopen_delay);
  EXPECT_EQ(status().workers(), 1u);
  advance(1h);
  EXPECT_GE(payloads.size(), 1u);
}

} // namespace gnomon
