// A worker whose process stands still for longer than a job may take.

#include "gnomon/record.hpp"
#include "gnomon/v1/job.pb.h"
#include "tests/actors/system_fixture.hpp"
#include "tests/crash/child_process.hpp"

using namespace gnomon;
using namespace std::chrono_literals;

namespace {

class StoppedWorker : public test::SystemTest {
protected:
  StoppedWorker() : system(cfg), self(system) {
    // nop
  }

  /// Returns how many records of that kind about COMPLETE the log has.
  std::uint64_t count(const partition& from, v1::RecordType type,
                      v1::JobIntent what) {
    v1::Query question;
    question.mutable_metrics();
    const auto answer = test::ask(self, from, question);
    for (const auto& each : answer.metrics().records())
      if (static_cast<int>(each.record_type()) == type
          && static_cast<int>(each.intent()) == what
          && each.value_type()
               == static_cast<unsigned>(gnomon::value_type::job))
        return each.count();
    return 0;
  }

  test::configuration cfg;
  caf::actor_system system;
  caf::scoped_actor self;
};

} // namespace

TEST_F(StoppedWorker, LosesItsJobAndIsRefusedWhenItComesBack) {
  test::child_process host{{GNOMON_REMOTE_PARTITION, directory.string()}};
  const auto port = host.read_line();
  ASSERT_FALSE(port.empty());
  const auto found = system.middleman().remote_actor<partition>(
    "127.0.0.1", static_cast<std::uint16_t>(std::stoul(port)));
  ASSERT_TRUE(found);
  test::child_process worker{{GNOMON_REMOTE_WORKER, port}};
  ASSERT_TRUE(test::submit_to(
    self, *found,
    create_timer{.when = 1ms, .target = "greet", .payload = "once"}));
  ASSERT_NE(worker.read_line(), "");
  worker.stop();
  // Somebody else gets it once its time is over, and completes it.
  spawn_worker(system, *found, "greet", test::pass_payloads(caf::actor{self}),
               {.capacity = 1});
  EXPECT_EQ(test::next_payload(self), "once");
  worker.resume();
  worker.write_line("done");
  const auto is_refused = [&] {
    return count(*found, v1::RECORD_TYPE_COMMAND_REJECTION,
                 v1::JOB_INTENT_COMPLETE)
           == 1;
  };
  for (int i = 0; i < 20'000 && !is_refused(); ++i)
    continue;
  EXPECT_TRUE(is_refused());
  EXPECT_EQ(count(*found, v1::RECORD_TYPE_EVENT, v1::JOB_INTENT_COMPLETED), 1u);
}
