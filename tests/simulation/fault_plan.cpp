#include "tests/simulation/fault_plan.hpp"

#include "tests/support/seeded_random.hpp"

#include <algorithm>
#include <array>

namespace gnomon::simulation {

namespace {

constexpr std::int64_t second = 1'000;
constexpr std::int64_t hour = 3'600 * second;
constexpr std::int64_t day = 24 * hour;

std::int64_t draw_jump(test::seeded_random& random) {
  const auto by = random.one_of<std::int64_t>(
    {1, 999, 5 * second, hour, day - 1, day + second, 30 * day});
  return random.chance(50) ? by : -by;
}

std::int64_t draw_amount(fault_kind what, test::seeded_random& random) {
  switch (what) {
  case fault_kind::kill_in_call:
  case fault_kind::power_cut_in_call:
  case fault_kind::io_error:
  case fault_kind::out_of_space:
    return random.between(1, random.chance(50) ? 5 : 60);
  case fault_kind::clock_jump:
    return draw_jump(random);
  case fault_kind::clock_stop:
    return random.one_of<std::int64_t>({1, 10 * second, hour});
  case fault_kind::slow_disk:
    return random.between(5, 60);
  default:
    return 0;
  }
}

constexpr std::array<const char*, fault_kinds> names{
  "kill",      "power_cut",      "kill_in_call", "power_cut_in_call",
  "io_error",  "out_of_space",   "clock_jump",   "clock_stop",
  "slow_disk", "rotten_snapshot"};

} // namespace

fault_plan draw_faults(std::uint64_t seed, std::uint64_t steps) {
  test::seeded_random random{seed, 1};
  std::vector<fault_kind> kinds;
  for (std::uint64_t i = 0; i < fault_kinds; ++i)
    if (random.chance(40))
      kinds.push_back(static_cast<fault_kind>(i));
  fault_plan plan;
  const auto count = kinds.empty() ? 0 : random.below(11);
  for (std::uint64_t i = 0; i < count; ++i) {
    planned_fault next;
    next.at_step = random.below(steps);
    next.what = kinds[random.below(kinds.size())];
    next.amount = draw_amount(next.what, random);
    next.detail = next.what == fault_kind::io_error
                      || next.what == fault_kind::out_of_space
                    ? random.one_of<std::uint64_t>({1, 1, 1, 2, 5, 20})
                    : random.next();
    plan.push_back(next);
  }
  std::ranges::stable_sort(plan, {}, &planned_fault::at_step);
  return plan;
}

std::string to_string(const planned_fault& what) {
  return std::string{names[static_cast<std::size_t>(what.what)]} + " at step "
         + std::to_string(what.at_step) + ", amount "
         + std::to_string(what.amount) + ", detail "
         + std::to_string(what.detail);
}

} // namespace gnomon::simulation
