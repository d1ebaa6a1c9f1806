#include "gnomon/durable_send.hpp"
#include "tests/actors/system_fixture.hpp"

using namespace gnomon;
using namespace std::chrono_literals;

namespace {

class DurableRestart : public test::SystemTest {
protected:
  /// Submits a message that is due at once, in a system without a sender.
  void send_in_another_life(const std::string& text) {
    test::configuration cfg;
    caf::actor_system system{cfg};
    const auto partition = spawn_partition(system, options());
    const caf::scoped_actor self{system};
    bool durable = false;
    send_later(self.ptr(), partition, 0ms, "alice", caf::make_message(text), {},
               [&](const result<scheduled_send>& sent) {
                 ASSERT_TRUE(sent) << to_string(sent.error());
                 durable = static_cast<bool>(sent->timer);
               });
    EXPECT_TRUE(durable);
  }
};

} // namespace

TEST_F(DurableRestart, SendsInTheNextLifeOfTheSystem) {
  send_in_another_life("hello");
  test::configuration cfg;
  caf::actor_system system{cfg};
  const auto partition = spawn_partition(system, options());
  const caf::scoped_actor self{system};
  ASSERT_TRUE(register_receiver(system, "alice", caf::actor{self}));
  spawn_sender(system, partition);
  EXPECT_EQ(test::next_payload(self), "hello");
  EXPECT_TRUE(register_receiver(system, "alice", nullptr));
}

TEST_F(DurableRestart, TellsAClientWhyAPartitionHasNoAnswer) {
  test::configuration cfg;
  caf::actor_system system{cfg};
  const auto partition = spawn_partition(system, options());
  const caf::scoped_actor self{system};
  mail_as(self.ptr(), make_control(v1::CONTROL_OPERATION_CLOSE))
    .request(partition, test::patience)
    .receive([](const control_reply&) {},
             [](const caf::error& why) { ADD_FAILURE() << to_string(why); });
  std::optional<errc> code;
  send_later(self.ptr(), partition, 0ms, "alice",
             caf::make_message(std::string{"hello"}), {},
             [&](const result<scheduled_send>& sent) {
               ASSERT_FALSE(sent);
               code = sent.error().code;
             });
  // Closing, or gone already.
  EXPECT_TRUE(code == errc::unavailable || code == errc::timed_out);
}
