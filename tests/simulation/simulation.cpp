#include "tests/simulation/simulation.hpp"

namespace gnomon::simulation {

namespace {

constexpr duration second{1'000};

test::survivors survivors_of(std::uint64_t detail) {
  using unsynced = test::survivors::unsynced;
  switch (detail % 4) {
  case 0:
    return {unsynced::none, 0};
  case 1:
    return {unsynced::all, 0};
  default:
    return {unsynced::some, detail};
  }
}

partition_options draw_options(test::seeded_random& random,
                               const storage::path& scratch) {
  partition_options result;
  result.directory = scratch;
  result.commands_per_batch_max = random.one_of<std::uint32_t>({1, 3, 100});
  // Small ones, so that segments roll and are deleted.
  result.batch_bytes_max = random.one_of<std::size_t>({8 << 10, 16 << 10});
  result.segment_bytes = 2 * result.batch_bytes_max;
  result.in_flight_max = random.one_of<std::size_t>({3, 1'000});
  result.idempotency_window = random.one_of<duration>({second, 3'600 * second});
  result.resolution = random.one_of<duration>({duration{1}, duration{100}});
  result.catch_up_max = 5;
  result.payload_bytes_max = 1'000;
  result.job_timeout = random.one_of<duration>({5 * second, 300 * second});
  result.map_bytes = 16 << 20;
  result.snapshot_log_bytes
    = random.one_of<std::size_t>({0, 8 << 10, 24 << 10});
  return result;
}

/// Each run has its own temper.
template <class Chances>
Chances draw_chances(test::seeded_random& random) {
  return {random.one_of<std::uint64_t>({10, 20, 40}),
          random.one_of<std::uint64_t>({10, 25, 40}),
          random.one_of<std::uint64_t>({5, 20, 40}),
          random.one_of<std::uint64_t>({2, 10}),
          random.one_of<std::uint64_t>({3, 10, 20})};
}

} // namespace

simulation::simulation(std::uint64_t seed, fault_plan faults,
                       const storage::path& scratch)
  : simulation(seed, std::move(faults), scratch, test::seeded_random{seed}) {
  // nop
}

simulation::simulation(std::uint64_t seed, fault_plan faults,
                       const storage::path& scratch, test::seeded_random random)
  : simulated_partition(draw_options(random, scratch), seed), seed_(seed),
    faults_(std::move(faults)), steps_(steps_of(seed)), random_(random),
    chances_(draw_chances<chances>(random_)) {
  // nop
}

std::uint64_t simulation::steps_of(std::uint64_t seed) {
  test::seeded_random random{seed, 4};
  return random.one_of<std::uint64_t>({100, 200, 200, 400, 600});
}

run_outcome simulation::run() {
  safety();
  if (trace_.is_sound())
    liveness();
  host_.drop();
  if (const auto found = disk_.violations(); !found.empty())
    trace_.breach("disk: " + found.front());
  return {seed_,         faults_, trace_.first_breach(),
          trace_.hash(), steps_,  log_.last().value};
}

// -- safety -------------------------------------------------------------------

void simulation::safety() {
  auto next = faults_.begin();
  for (; step_ < steps_ && trace_.is_sound(); ++step_) {
    try {
      for (; next != faults_.end() && next->at_step <= step_; ++next)
        strike(*next);
      act();
      if (disk_.has_ended())
        throw process_end{};
    } catch (const process_end&) {
      end_process(power_goes_, end_detail_);
    }
  }
}

void simulation::strike(const planned_fault& what) {
  using kind = call_fault::kind;
  const auto at_call = static_cast<std::uint64_t>(what.amount);
  trace_.note(static_cast<std::uint64_t>(what.what));
  switch (what.what) {
  case fault_kind::kill:
    return end_process(false, 0);
  case fault_kind::power_cut:
    return end_process(true, what.detail);
  case fault_kind::kill_in_call:
    return end_in_call(what, false);
  case fault_kind::power_cut_in_call:
    return end_in_call(what, true);
  case fault_kind::io_error:
    return disk_.arm({kind::io_error, at_call, what.detail});
  case fault_kind::out_of_space:
    return disk_.arm({kind::out_of_space, at_call, what.detail});
  case fault_kind::clock_jump:
    time_.step_wall(duration{what.amount});
    return log_.saw(time_.wall());
  case fault_kind::clock_stop:
    return time_.advance_monotonic(std::chrono::milliseconds{what.amount});
  case fault_kind::slow_disk:
    disk_is_slow_until_ = step_ + static_cast<std::uint64_t>(what.amount);
    return;
  case fault_kind::rotten_snapshot:
    return disk_.spoil_newest_snapshot(what.detail);
  }
}

void simulation::end_in_call(const planned_fault& what, bool power) {
  power_goes_ = power;
  end_detail_ = what.detail;
  disk_.arm(
    {call_fault::kind::process_end, static_cast<std::uint64_t>(what.amount)});
}

void simulation::end_process(bool power, std::uint64_t detail) {
  if (power)
    cut_power(survivors_of(detail));
  else
    kill_process();
}

void simulation::subscribe() {
  const auto* type = client::job_types[random_.below(client::job_types.size())];
  host_.subscribe({type, static_cast<std::uint32_t>(random_.between(1, 4)),
                   random_.chance(50) ? duration{0} : 2 * second});
}

void simulation::act() {
  if (host_.is_open())
    act_open();
  else if (random_.chance(70))
    host_.open();
  else
    advance(duration{random_.between(0, 60'000)});
}

void simulation::act_open() {
  auto left = random_.below(chances_.submit + chances_.turn + chances_.log_disk
                            + chances_.side_disk + chances_.time + 30);
  const auto is_chosen = [&](std::uint64_t chance) {
    const auto chosen = left < chance;
    left -= chosen ? 0 : chance;
    return chosen;
  };
  if (is_chosen(chances_.submit))
    return host_.submit(user_.draw());
  if (is_chosen(chances_.turn))
    return host_.turn();
  if (is_chosen(chances_.log_disk)) {
    if (!host_.end_log_task() && step_ >= disk_is_slow_until_)
      host_.run_log_task();
    return;
  }
  if (is_chosen(chances_.side_disk)) {
    if (!host_.end_side_task())
      host_.run_side_task();
    return;
  }
  if (is_chosen(chances_.time))
    return advance(duration{random_.between(0, 3'000)});
  if (is_chosen(10))
    return host_.look_at_due();
  if (is_chosen(6))
    return host_.release();
  if (!is_chosen(8))
    return act_rarely();
  if (auto answer = user_.draw_answer())
    host_.submit(std::move(*answer));
}

void simulation::act_rarely() {
  switch (random_.below(16)) {
  case 0:
    return host_.core().pause();
  case 1:
  case 2:
    return host_.core().resume();
  case 3:
    return host_.close();
  case 4:
    return host_.start_snapshot();
  case 5:
    return host_.scan_due();
  case 6:
    return host_.core().confirm_clock();
  case 7:
    if (host_.workers() > 0)
      host_.unsubscribe(random_.below(host_.workers()));
    return;
  case 8:
    return check_state();
  case 9:
    return advance(duration{random_.between(0, 7'200'000)});
  default:
    if (host_.workers() < 4)
      subscribe();
  }
}

run_outcome simulate(std::uint64_t seed, const fault_plan& faults,
                     const storage::path& scratch) {
  return simulation{seed, faults, scratch}.run();
}

run_outcome simulate(std::uint64_t seed, const storage::path& scratch) {
  return simulate(seed, draw_faults(seed, simulation::steps_of(seed)), scratch);
}

} // namespace gnomon::simulation
