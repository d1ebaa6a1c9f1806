// One run: everything that happens to one partition, decided by one seed.

#pragma once

#include "gnomon/partition_options.hpp"
#include "tests/simulation/client.hpp"
#include "tests/simulation/fault_plan.hpp"
#include "tests/simulation/log_model.hpp"
#include "tests/simulation/partition_host.hpp"
#include "tests/simulation/simulated_disk.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gnomon::simulation {

/// What came of a run. Plain value.
struct run_outcome {
  std::uint64_t seed = 0;
  fault_plan faults;

  /// The first breach of an invariant; empty if there was none.
  std::string breach;

  /// Of everything visible: the same wherever and with whatever compiler.
  std::uint64_t hash = 0;
  std::uint64_t steps = 0;
  std::uint64_t records = 0;
};

/// Simulates a partition: a safety phase, in which faults strike, then a
/// liveness phase without any, in which all that is due must happen.
class simulation {
public:
  /// @param scratch  Directory for the files that LMDB needs; of this run
  ///                 alone.
  simulation(std::uint64_t seed, fault_plan faults,
             const storage::path& scratch);

  /// Returns how many steps the safety phase of `seed` has.
  static std::uint64_t steps_of(std::uint64_t seed);

  run_outcome run();

private:
  struct chances {
    std::uint64_t submit;
    std::uint64_t turn;
    std::uint64_t log_disk;
    std::uint64_t side_disk;
    std::uint64_t time;
  };

  // -- safety -----------------------------------------------------------------

  void safety();

  void act();

  void act_open();

  void act_rarely();

  void strike(const planned_fault& what);

  void end_in_call(const planned_fault& what, bool power);

  void end_process(bool power, std::uint64_t detail);

  void advance(duration by);

  void subscribe();

  // -- liveness ---------------------------------------------------------------

  void liveness();

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

  std::uint64_t seed_;
  fault_plan faults_;
  std::uint64_t steps_;
  test::seeded_random random_;
  partition_options options_;
  trace trace_;
  log_model log_;
  testing::manual_clock time_;
  simulated_disk disk_;
  client user_;
  partition_host host_;
  chances chances_;

  std::uint64_t step_ = 0;
  std::uint64_t disk_is_slow_until_ = 0;
  bool power_goes_ = false;
  std::uint64_t end_detail_ = 0;
};

/// Runs `seed` with the faults it draws.
run_outcome simulate(std::uint64_t seed, const storage::path& scratch);

/// Runs `seed` with `faults`.
run_outcome simulate(std::uint64_t seed, const fault_plan& faults,
                     const storage::path& scratch);

} // namespace gnomon::simulation
