// Creates one durable timer.

#include <caf/scoped_actor.hpp>

#include <gnomon/module.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  gnomon::module::init_global_meta_objects();
  caf::actor_system_config cfg;
  cfg.load<gnomon::module>();
  caf::actor_system system{cfg};
  const auto partition
    = gnomon::spawn_partition(system, {.directory = argv[1]});
  const caf::scoped_actor self{system};
  const gnomon::create_timer command{.when = std::chrono::hours{1}};
  int status = 1;
  gnomon::mail_as(self.ptr(), gnomon::make_submit(command))
    .request(partition, caf::infinite)
    .receive(
      [&](const gnomon::submit_reply&) { status = 0; },
      [](const caf::error& why) { std::cerr << to_string(why) << '\n'; });
  return status;
}
