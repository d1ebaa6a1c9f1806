#include "storage/stamp.hpp"
#include "storage/system_file_system.hpp"
#include "tests/actors/system_fixture.hpp"

#include <atomic>

using namespace gnomon;
using namespace std::chrono_literals;

namespace {

class Module : public test::SystemTest {
protected:
  bool is_stamped_clean() const {
    const auto found = storage::read_stamp(
      storage::system_files(), directory / "partition-00001" / "stamp");
    return found && *found && (*found)->clean;
  }
};

} // namespace

TEST_F(Module, RunsATimerToItsWorkerBesideIoAndOpenssl) {
  test::configuration cfg;
  caf::actor_system system{cfg};
  ASSERT_TRUE(system.has_middleman());
  ASSERT_TRUE(system.has_openssl_manager());
  const auto partition = spawn_partition(system, options());
  const caf::scoped_actor self{system};
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

TEST_F(Module, StartsAndStopsAgainAndAgain) {
  constexpr std::uint64_t cycles = 20;
  for (std::uint64_t cycle = 1; cycle <= cycles; ++cycle) {
    test::configuration cfg;
    caf::actor_system system{cfg};
    const auto partition = spawn_partition(system, options());
    const caf::scoped_actor self{system};
    ASSERT_TRUE(test::submit_to(self, partition, create_timer{.when = 1h}));
    v1::Query question;
    question.mutable_status();
    EXPECT_EQ(test::ask(self, partition, question).status().epoch(), cycle);
    question.mutable_waiting_room();
    EXPECT_EQ(test::ask(self, partition, question).waiting_room().timers(),
              cycle);
  }
}

TEST_F(Module, StopsWhileAPartitionIsStillOpening) {
  test::configuration cfg;
  {
    caf::actor_system system{cfg};
    spawn_partition(system, options());
  }
  EXPECT_TRUE(is_stamped_clean());
}

TEST_F(Module, ClosesDirectoriesWhenTheSystemShutsDown) {
  test::configuration cfg;
  {
    caf::actor_system system{cfg};
    const auto partition = spawn_partition(system, options());
    const caf::scoped_actor self{system};
    ASSERT_TRUE(test::submit_to(self, partition, create_timer{.when = 1h}));
    EXPECT_FALSE(is_stamped_clean());
  }
  EXPECT_TRUE(is_stamped_clean());
}

TEST_F(Module, AnswersRequestsInFlightBeforeTheSystemHasShutDown) {
  constexpr std::size_t requests = 50;
  test::configuration cfg;
  std::atomic<std::size_t> ended = 0;
  {
    caf::actor_system system{cfg};
    const auto partition = spawn_partition(system, options());
    for (std::size_t i = 0; i < requests; ++i)
      system.spawn([partition, &ended](caf::event_based_actor* self) {
        mail_as(self, make_submit(create_timer{.when = 1h}))
          .request(partition, caf::infinite)
          .then([&](const submit_reply&) { ++ended; },
                [&](const caf::error&) { ++ended; });
      });
  }
  EXPECT_EQ(ended, requests);
  EXPECT_TRUE(is_stamped_clean());
}

TEST_F(Module, ClosesADirectoryWhenItsPartitionIsToldToExit) {
  test::configuration cfg;
  {
    caf::actor_system system{cfg};
    const auto partition = spawn_partition(system, options());
    const caf::scoped_actor self{system};
    ASSERT_TRUE(test::submit_to(self, partition, create_timer{.when = 1h}));
    self->send_exit(partition, caf::exit_reason::user_shutdown);
    self->wait_for(partition);
  }
  EXPECT_TRUE(is_stamped_clean());
}

TEST_F(Module, WorkerEndsWithItsPartition) {
  test::configuration cfg;
  caf::actor_system system{cfg};
  const auto partition = spawn_partition(system, options());
  const caf::scoped_actor self{system};
  const auto worker = spawn_worker(system, partition, "greet",
                                   [](const job&) { return bytes{}; });
  self->monitor(worker);
  mail_as(self.ptr(), make_control(v1::CONTROL_OPERATION_CLOSE))
    .request(partition, test::patience)
    .receive([](const control_reply&) {},
             [](const caf::error& why) { ADD_FAILURE() << to_string(why); });
  bool ended = false;
  self->receive([&](const caf::down_msg&) { ended = true; },
                caf::after(test::patience) >> [] {});
  EXPECT_TRUE(ended);
}

TEST_F(Module, PutsTheDefaultsOfItsOptionsIntoTheConfiguration) {
  test::configuration cfg;
  module::add_module_options(cfg);
  const auto yield_budget
    = caf::get_or(cfg, "gnomon.yield-budget", caf::timespan{0});
  EXPECT_EQ(yield_budget, caf::timespan{partition_options{}.yield_budget});
}
