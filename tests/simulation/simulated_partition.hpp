// One partition of a simulated machine, with those who use it and those who
// judge it.

#pragma once

#include "gnomon/partition_options.hpp"
#include "tests/simulation/client.hpp"
#include "tests/simulation/log_model.hpp"
#include "tests/simulation/partition_host.hpp"
#include "tests/simulation/simulated_disk.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <cstdint>

namespace gnomon::simulation {

/// What happens to the partition is up to those who derive from it; in the end
/// `liveness` says whether everything has come right.
class simulated_partition {
public:
  /// @param options  Its directory is for the files that LMDB needs; of this
  ///                 partition alone.
  simulated_partition(partition_options options, std::uint64_t seed);

protected:
  ~simulated_partition() = default;

  void advance(duration by);

  void kill_process();

  void cut_power(const test::survivors& left);

  // -- liveness ---------------------------------------------------------------

  /// Without more faults, lets all happen that is due.
  void liveness();

  /// What has failed during the safety phase may come out now.
  void bring_out_failures();

  void calm_down();

  /// Lets everything happen that can happen without time going by.
  void rest();

  void follow_due_dates(duration within, std::size_t times_max);

  /// Lets time go by until nothing but repeating timers can be left.
  void leap();

  timestamp latest_due() const;

  void check_nothing_is_due();

  void check_rest();

  void check_state();

  partition_options options_;
  trace trace_;
  log_model log_;
  testing::manual_clock time_;
  simulated_disk disk_;
  client user_;
  partition_host host_;
  test::seeded_random calm_random_;
};

} // namespace gnomon::simulation
