// Publishes a partition on a port that it prints; ends with its input.

#include <caf/io/middleman.hpp>

#include <gnomon/module.hpp>
#include <iostream>

namespace {

struct configuration : caf::actor_system_config {
  configuration() {
    load<caf::io::middleman>();
    load<gnomon::module>();
  }
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  gnomon::module::init_global_meta_objects();
  configuration cfg;
  caf::actor_system system{cfg};
  const auto partition = gnomon::spawn_partition(
    system, {.directory = argv[1], .resolution = gnomon::duration{1}});
  const auto port = system.middleman().publish(partition, 0, "127.0.0.1");
  if (!port)
    return 1;
  std::cout << *port << std::endl;
  std::string unused;
  std::getline(std::cin, unused);
  system.middleman().unpublish(partition, *port);
}
