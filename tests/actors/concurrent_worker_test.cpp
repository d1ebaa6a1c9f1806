#include "tests/actors/system_fixture.hpp"

#include <future>
#include <set>

namespace gnomon {

namespace {

class ConcurrentWorker : public test::SystemTest {};

} // namespace

TEST_F(ConcurrentWorker, GivesNoJobToARunnerThatHasOne) {
  std::promise<void> third;
  auto is_called = third.get_future();
  test::configuration cfg;
  caf::actor_system system{cfg};
  const auto partition = spawn_partition(system, options());
  const caf::scoped_actor self{system};
  for (const auto* payload : {"1", "2", "3"})
    ASSERT_TRUE(test::submit_to(
      self, partition, create_job{.type = "mail", .payload = payload}));
  const caf::actor whom = caf::actor_cast<caf::actor>(self.ptr());
  // The first stays with its runner until the other has done the rest.
  spawn_worker(system, partition, "mail",
               [&](const job& given) {
                 const auto is_in_time = given.payload != "1"
                                         || is_called.wait_for(test::patience)
                                              == std::future_status::ready;
                 if (given.payload == "3")
                   third.set_value();
                 caf::anon_send(whom, is_in_time ? given.payload : "late");
                 return bytes{};
               },
               {.detached = true, .concurrency = 2});
  std::multiset<bytes> done;
  for (int i = 0; i < 3; ++i)
    done.insert(test::next_payload(self));
  EXPECT_EQ(done, (std::multiset<bytes>{"1", "2", "3"}));
}

} // namespace gnomon
