// One run: everything that happens to one partition, decided by one seed.

#pragma once

#include "tests/simulation/fault_plan.hpp"
#include "tests/simulation/simulated_partition.hpp"
#include "tests/support/seeded_random.hpp"

#include <cstdint>
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
class simulation : private simulated_partition {
public:
  /// @param scratch  Directory for the files that LMDB needs; of this run
  ///                 alone.
  simulation(std::uint64_t seed, fault_plan faults,
             const storage::path& scratch);

  /// Returns how many steps the safety phase of `seed` has.
  static std::uint64_t steps_of(std::uint64_t seed);

  run_outcome run();

private:
  simulation(std::uint64_t seed, fault_plan faults,
             const storage::path& scratch, test::seeded_random random);

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

  void subscribe();

  std::uint64_t seed_;
  fault_plan faults_;
  std::uint64_t steps_;
  test::seeded_random random_;
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
