#include "tests/simulation/simulated_partition.hpp"

namespace gnomon::simulation {

simulated_partition::simulated_partition(partition_options options,
                                         std::uint64_t seed)
  : options_(std::move(options)),
    log_(trace_, {options_.catch_up_grace, options_.catch_up_max}),
    disk_(options_.directory, log_, seed), user_(trace_, log_, seed),
    host_({disk_, time_, log_, user_, trace_}, options_),
    calm_random_(seed, 5) {
  log_.saw(time_.wall());
}

void simulated_partition::advance(duration by) {
  time_.advance(by);
  log_.saw(time_.wall());
}

void simulated_partition::kill_process() {
  trace_.note("kill");
  disk_.disarm();
  host_.drop();
  disk_.kill_process();
}

void simulated_partition::cut_power(const test::survivors& left) {
  trace_.note("power");
  disk_.disarm();
  host_.drop();
  disk_.cut_power(left);
}

} // namespace gnomon::simulation
