// Gives a partition all kinds of work until it is killed, and prints what is
// acknowledged: position and key, a line each, and a full stop.

#include "tests/crash/crash_options.hpp"

#include <gnomon/module.hpp>
#include <iostream>
#include <stdexcept>

namespace {

using namespace gnomon;
using namespace std::chrono_literals;

constexpr const char* work = "work";

struct configuration : caf::actor_system_config {
  configuration() {
    load<module>();
  }
};

/// Asks, and keeps the keys of timers that can still be cancelled or moved.
class client {
public:
  client(caf::actor_system& system, partition to)
    : self_(system), to_(std::move(to)) {
    // nop
  }

  void run() {
    submit({to_command(create_timer{
      .when = std::string{"R/PT1S"}, .target = work, .name = "tick"})});
    for (;;) {
      round();
      // Not more than there is time to look at afterwards.
      self_->receive([](caf::unit_t) {}, caf::after(1ms) >> [] {});
    }
  }

private:
  void round() {
    std::vector<v1::Command> all{
      to_command(create_timer{.when = duration{1}, .target = work}),
      to_command(create_timer{.when = duration{3'600'000}, .payload = "far"}),
      to_command(create_job{.type = work})};
    if (far_.size() >= 2) {
      all.push_back(to_command(cancel_timer{far_[0], {}}));
      all.push_back(
        to_command(reschedule_timer{.key = far_[1], .when = duration{1}}));
      far_.clear();
    }
    submit(all);
  }

  void submit(const std::vector<v1::Command>& all) {
    mail_as(self_.ptr(), make_submit(all))
      .request(to_, caf::infinite)
      .receive([&](const submit_reply& reply) { read(reply); },
               [](const caf::error&) {});
  }

  void read(const submit_reply& reply) {
    v1::SubmitReply content;
    content.ParseFromString(reply.content);
    for (const auto& answer : content.answers()) {
      if (answer.error_code() != 0)
        continue;
      const auto& outcome = answer.outcome();
      std::cout << std::to_string(outcome.position()) + ' '
                     + std::to_string(outcome.key()) + ".\n"
                << std::flush;
      if (outcome.intent() == v1::TIMER_INTENT_CREATED
          && outcome.value().find("far") != std::string::npos)
        far_.push_back({outcome.key()});
    }
  }

  caf::scoped_actor self_;
  partition to_;
  std::vector<key> far_;
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  module::init_global_meta_objects();
  configuration cfg;
  caf::actor_system system{cfg};
  const auto to = spawn_partition(system, crash::crash_options(argv[1]));
  spawn_worker(system, to, work,
               [](const job& what) {
                 if (what.key.value % 5 == 0 && what.activation == 1)
                   throw std::runtime_error{"the first time"};
                 return bytes{};
               },
               {.back_off = back_off{.initial = duration{5}}});
  client{system, to}.run();
}
