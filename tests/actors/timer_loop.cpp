// Creates timers until it is killed, and prints the keys that are acknowledged.

#include <gnomon/module.hpp>
#include <iostream>

namespace {

struct configuration : caf::actor_system_config {
  configuration() {
    load<gnomon::module>();
  }
};

constexpr int timers_per_request = 3;

void create(const caf::scoped_actor& self, const gnomon::partition& to) {
  const auto one = gnomon::to_command(gnomon::create_timer{
    .when = gnomon::duration{1}, .target = "nobody", .payload = "x"});
  const std::vector<gnomon::v1::Command> all(timers_per_request, one);
  mail_as(self.ptr(), gnomon::make_submit(all))
    .request(to, caf::infinite)
    .receive(
      [](const gnomon::submit_reply& reply) {
        gnomon::v1::SubmitReply content;
        content.ParseFromString(reply.content);
        for (const auto& answer : content.answers())
          if (answer.error_code() == 0)
            std::cout << std::to_string(answer.outcome().key()) + ".\n"
                      << std::flush;
      },
      [](const caf::error&) {});
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  gnomon::module::init_global_meta_objects();
  configuration cfg;
  caf::actor_system system{cfg};
  // Small segments and frequent snapshots, so that a kill may meet them, too.
  const auto partition
    = gnomon::spawn_partition(system, {.directory = argv[1],
                                       .batch_bytes_max = 16 << 10,
                                       .resolution = gnomon::duration{1},
                                       .segment_bytes = 32 << 10,
                                       .snapshot_log_bytes = 64 << 10});
  const caf::scoped_actor self{system};
  for (;;)
    create(self, partition);
}
