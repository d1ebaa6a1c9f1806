// One call of the disk fails, whichever it is: nothing acknowledged is lost.

#include "gnomon/v1/query.pb.h"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/failing_disk.hpp"

#include <map>
#include <set>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

/// A partition from its creation to its second incarnation, with rolls and
/// snapshots, during which one call fails.
class scenario : public actor_fixture {
public:
  explicit scenario(const test::disk_failure& what) {
    options.segment_bytes = 32 << 10;
    options.batch_bytes_max = 16 << 10;
    options.map_bytes = 64 << 20;
    patience = 2s; // A disk that is full is tried again after a second.
    running = std::make_unique<host>(sys, time, files);
    running->start();
    files.fail(what);
    due_ = time.wall() + 1h;
    live();
  }

  ~scenario() override {
    self_->send_exit(whom, caf::exit_reason::user_shutdown);
    whom = nullptr;
    dispatch_messages();
  }

  void TestBody() override {
    // It is run by its constructor.
  }

  /// Looks at what became of the timers.
  void verify() {
    EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING)
      << status().last_failure();
    advance(2h);
    std::map<std::uint64_t, int> jobs;
    v1::Query question;
    question.mutable_list_jobs()->set_jobs_max(10'000);
    const auto answer = ask_query(question);
    for (const auto& job : answer.list_jobs().jobs())
      ++jobs[job.timer_key()];
    for (const auto& [timer, count] : jobs)
      EXPECT_EQ(count, 1) << "timer " << timer;
    for (auto timer : acknowledged_)
      EXPECT_TRUE(jobs.contains(timer)) << "timer " << timer;
    EXPECT_GE(acknowledged_.size() + failures, created_);
  }

  test::failing_disk files{storage::system_files()};

  /// Requests that were not answered by success.
  std::size_t failures = 0;

private:
  void live() {
    open();
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 4; ++i)
        create(8);
      static_cast<void>(control_with(v1::CONTROL_OPERATION_SNAPSHOT));
      advance(1s);
    }
    static_cast<void>(control_with(v1::CONTROL_OPERATION_CLOSE));
    open();
    advance(1s);
    create(1);
    advance(1s);
    create(1);
    static_cast<void>(control_with(v1::CONTROL_OPERATION_SNAPSHOT));
    advance(1s);
  }

  void create(std::size_t count) {
    created_ += count;
    const create_timer one{
      .when = due_, .target = "mail", .payload = bytes(256, 'x')};
    const auto reply = request<submit_reply>(
      make_submit(std::vector<v1::Command>(count, to_command(one))));
    if (!reply) {
      expect_failure(reply.error().code, count);
      return;
    }
    v1::SubmitReply answers;
    ASSERT_TRUE(answers.ParseFromString(reply->content));
    for (const auto& answer : answers.answers())
      if (answer.error_code() != 0)
        expect_failure(static_cast<errc>(answer.error_code()), 1);
      else
        EXPECT_TRUE(acknowledged_.insert(answer.outcome().key()).second);
  }

  void expect_failure(errc code, std::size_t count) {
    EXPECT_TRUE(code == errc::io_error || code == errc::unavailable)
      << to_string(code);
    failures += count;
    advance(1s);
  }

  timestamp due_;
  std::size_t created_ = 0;
  std::set<std::uint64_t> acknowledged_;
};

/// From one call that fails to the next one that does. With 1 it takes long,
/// and passes, too; a prime lets all kinds of calls have their turn.
constexpr std::uint64_t step = 7;

class FailingDisk : public ::testing::TestWithParam<test::disk_failure> {};

} // namespace

TEST_P(FailingDisk, LosesNothingAcknowledgedWhicheverCallFails) {
  auto what = GetParam();
  std::uint64_t calls = 0;
  {
    scenario without{{}};
    calls = without.files.calls();
    without.verify();
    EXPECT_EQ(without.failures, 0u);
  }
  ASSERT_GT(calls, 100u);
  for (; what.at_call <= calls; what.at_call += step) {
    SCOPED_TRACE("call " + std::to_string(what.at_call));
    scenario failing{what};
    failing.verify();
    if (HasFailure())
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(
  Once, FailingDisk,
  ::testing::Values(test::disk_failure{1, errc::io_error, false},
                    test::disk_failure{3, errc::io_error, true},
                    test::disk_failure{5, errc::out_of_space, false}));

} // namespace gnomon
