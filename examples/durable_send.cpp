// A message that outlives the process. Kill it while it waits and start it
// again: the message still comes, and again until it is answered.

#include <caf/event_based_actor.hpp>
#include <caf/exec_main.hpp>
#include <caf/scoped_actor.hpp>

#include <future>
#include <gnomon/durable_send.hpp>
#include <gnomon/module.hpp>
#include <iostream>

using namespace std::chrono_literals;

// Any answer acknowledges the message. The first time, this one fails. As the
// programme ends at once, the acknowledgement may be lost, and a further start
// gets the message again: delivery is at least once.
caf::behavior friendly(caf::event_based_actor*, std::promise<void>* greeted) {
  return {
    [greeted,
     attempts = 0](const gnomon::durable_delivery& which,
                   const std::string& text) mutable -> caf::result<void> {
      std::cout << "occurrence " << which.occurrence << ": " << text << '\n';
      if (++attempts == 1)
        return caf::make_error(gnomon::errc::unavailable);
      greeted->set_value();
      return caf::unit;
    },
  };
}

void caf_main(caf::actor_system& system) {
  const auto partition
    = gnomon::spawn_partition(system, {.directory = "durable-send"});
  std::promise<void> greeted;

  // With CAF 0.17, names have at most ten letters.
  const auto receiver = system.spawn(friendly, &greeted);
  if (const auto known = gnomon::register_receiver(system, "friend", receiver);
      !known)
    std::cerr << to_string(known.error()) << '\n';
  gnomon::spawn_sender(system, partition);

  // The key makes a second start repeat the wish, not the message.
  caf::scoped_actor self{system};
  gnomon::send_later(
    self.ptr(), partition, 5s, "friend",
    caf::make_message(std::string{"hello, world"}),
    {.idempotency_key = "first greeting", .with_delivery = true},
    [](const gnomon::result<gnomon::scheduled_send>& sent) {
      std::cout << (sent ? "it will come" : to_string(sent.error())) << '\n';
    });

  if (greeted.get_future().wait_for(15s) == std::future_status::timeout)
    std::cout << "already greeted\n";
  static_cast<void>(gnomon::register_receiver(system, "friend", nullptr));
  self->send_exit(receiver, caf::exit_reason::user_shutdown);
}

CAF_MAIN(gnomon::module)
