#include "tests/actors/system_fixture.hpp"
#include "tests/crash/child_process.hpp"

using namespace gnomon;
using namespace std::chrono_literals;

namespace {

class RemotePartition : public test::SystemTest {
protected:
  RemotePartition() : system(cfg), self(system) {
    // nop
  }

  partition connect(test::child_process& process) {
    const auto line = process.read_line();
    EXPECT_FALSE(line.empty());
    const auto port = static_cast<std::uint16_t>(std::stoul("0" + line));
    auto found = system.middleman().remote_actor<partition>("127.0.0.1", port);
    EXPECT_TRUE(found) << system.render(found.error());
    return found ? *found : partition{};
  }

  std::vector<std::string> command_line() const {
    return {GNOMON_REMOTE_PARTITION, directory.string()};
  }

  test::configuration cfg;
  caf::actor_system system;
  caf::scoped_actor self;
};

} // namespace

TEST_F(RemotePartition, PushesJobsToAWorkerInAnotherProcess) {
  test::child_process process{command_line()};
  {
    const auto partition = connect(process);
    ASSERT_TRUE(partition);
    spawn_worker(system, partition, "greet",
                 test::pass_payloads(caf::actor{self}), {.capacity = 1});
    // The second one is pushed only when the first one is completed.
    for (const auto* name : {"first", "second"})
      EXPECT_TRUE(test::submit_to(
        self, partition,
        create_timer{.when = 1ms, .target = "greet", .payload = name}));
    EXPECT_EQ(test::next_payload(self), "first");
    EXPECT_EQ(test::next_payload(self), "second");
  }
  EXPECT_EQ(process.finish(), 0);
}

TEST_F(RemotePartition, KeepsWhatItAcknowledgedWhenItsProcessIsKilled) {
  {
    test::child_process process{command_line()};
    const auto partition = connect(process);
    ASSERT_TRUE(partition);
    EXPECT_TRUE(test::submit_to(
      self, partition,
      create_timer{.when = 1ms, .target = "greet", .payload = "kept"}));
    process.kill();
  }
  test::child_process process{command_line()};
  const auto partition = connect(process);
  ASSERT_TRUE(partition);
  spawn_worker(system, partition, "greet",
               test::pass_payloads(caf::actor{self}));
  EXPECT_EQ(test::next_payload(self), "kept");
  v1::Query question;
  question.mutable_status();
  EXPECT_EQ(test::ask(self, partition, question).status().epoch(), 2u);
}

TEST_F(RemotePartition, AnswersErrorsThatKeepTheirCode) {
  test::child_process process{command_line()};
  const auto partition = connect(process);
  ASSERT_TRUE(partition);
  mail_as(self.ptr(), submit{{wire_version + 1, {}}})
    .request(partition, test::patience)
    .receive(
      [](const submit_reply&) { ADD_FAILURE() << "it was understood"; },
      [](const caf::error& why) { EXPECT_EQ(why, errc::invalid_argument); });
}
