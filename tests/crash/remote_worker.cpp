// Works for a partition at a port, one job at a time: prints that it has one,
// and says that it is done once it is given a line.

#include <caf/io/middleman.hpp>

#include <gnomon/module.hpp>
#include <iostream>

namespace {

using namespace gnomon;

struct configuration : caf::actor_system_config {
  configuration() {
    load<caf::io::middleman>();
    load<module>();
  }
};

bytes wait_for_a_line(const job& what) {
  std::cout << "job " + std::to_string(what.key.value) << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return bytes{line};
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  module::init_global_meta_objects();
  configuration cfg;
  caf::actor_system system{cfg};
  const auto port = static_cast<std::uint16_t>(std::stoul(argv[1]));
  const auto from
    = system.middleman().remote_actor<partition>("127.0.0.1", port);
  if (!from)
    return 1;
  const auto worker = spawn_worker(
    system, *from, "greet", wait_for_a_line,
    {.capacity = 1, .job_timeout = duration{300}, .detached = true});
  caf::scoped_actor {
    system
    } -> wait_for(worker);
}
