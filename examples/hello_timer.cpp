// The smallest programme: one timer, one worker, one directory. Kill it while
// it waits and start it again: the greeting still comes.

#include <caf/exec_main.hpp>
#include <caf/scoped_actor.hpp>

#include <future>
#include <gnomon/module.hpp>
#include <iostream>

void caf_main(caf::actor_system& system) {
  const auto partition
    = gnomon::spawn_partition(system, {.directory = "hello-timer"});
  std::promise<void> greeted;

  gnomon::spawn_worker(system, partition, "greet", [&](const gnomon::job& job) {
    std::cout << "hello, " << job.payload << '\n';
    greeted.set_value();
    return gnomon::bytes{};
  });

  // The key makes a second start repeat the command, not the timer.
  const gnomon::create_timer greeting{.when = std::chrono::seconds{5},
                                      .target = "greet",
                                      .payload = "world",
                                      .idempotency_key = "first greeting"};
  caf::scoped_actor self{system};
  gnomon::mail_as(self.ptr(), gnomon::make_submit(greeting))
    .request(partition, caf::infinite)
    .receive(
      [](const gnomon::submit_reply&) { std::cout << "it will trigger\n"; },
      [](const caf::error& why) { std::cerr << to_string(why) << '\n'; });
  if (greeted.get_future().wait_for(std::chrono::seconds{10})
      == std::future_status::timeout)
    std::cout << "already greeted\n";
}

CAF_MAIN(gnomon::module)
