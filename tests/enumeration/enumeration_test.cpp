#include "tests/enumeration/scenarios.hpp"
#include "tests/simulation/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace gnomon::enumeration {

namespace {

using test::survivors;

/// Of the first crashes, those at every so many calls are followed by second
/// ones: all pairs would take too long.
constexpr std::uint64_t first_crash_step = 5;

class Enumeration : public ::testing::TestWithParam<scenario> {
protected:
  void TearDown() override {
    std::printf("%s: %llu states\n", GetParam().name,
                static_cast<unsigned long long>(states_));
    RecordProperty("states", std::to_string(states_));
  }

  /// Runs the scenario with a fault in it.
  /// @returns Whether its process has ended there.
  bool run(stage& on, const call_fault& fault) {
    GetParam().prepare(on);
    on.arm(fault);
    return ends([&] { GetParam().act(on); });
  }

  template <class Script>
  static bool ends(Script script) {
    try {
      script();
      return false;
    } catch (const simulation::process_end&) {
      return true;
    }
  }

  void expect_sound(stage& on, const std::string& where) {
    ++states_;
    EXPECT_EQ(on.verdict(), "") << GetParam().name << ", " << where;
  }

  /// Ends the process at call `number`, and the power with it.
  /// @returns How many changes were not synced; none if there is no such call.
  std::optional<std::size_t> crash(std::uint64_t number,
                                   const survivors& left) {
    stage on{scratch_.location() / "partition"};
    if (!run(on, {call_fault::kind::process_end, number}))
      return std::nullopt;
    const auto unsynced = on.unsynced_changes();
    on.cut_power(left);
    expect_sound(on, "power goes at call " + std::to_string(number)
                       + ", survivors "
                       + std::to_string(static_cast<int>(left.kept)) + "/"
                       + std::to_string(left.seed));
    return unsynced;
  }

  bool kill(std::uint64_t number) {
    stage on{scratch_.location() / "partition"};
    if (!run(on, {call_fault::kind::process_end, number}))
      return false;
    on.kill_process();
    expect_sound(on, "killed at call " + std::to_string(number));
    return true;
  }

  /// As above, and then a second crash at a call of the recovery.
  /// @returns Whether there are such calls.
  bool crash_twice(std::uint64_t first, std::uint64_t second) {
    stage on{scratch_.location() / "partition"};
    if (!run(on, {call_fault::kind::process_end, first}))
      return false;
    on.cut_power({survivors::unsynced::some, first});
    on.arm({call_fault::kind::process_end, second});
    if (!ends([&] { on.open(); }))
      return false;
    on.cut_power({survivors::unsynced::some, first + second});
    expect_sound(on, "power goes at call " + std::to_string(first)
                       + " and at call " + std::to_string(second)
                       + " of the recovery");
    return true;
  }

  /// Lets call `number` fail, and `times` in a row.
  /// @returns Whether there is such a call.
  bool fail(call_fault::kind what, std::uint64_t number, std::uint64_t times) {
    stage on{scratch_.location() / "partition"};
    run(on, {what, number, times});
    if (!on.has_failed())
      return false;
    expect_sound(on, "call " + std::to_string(number) + " fails, kind "
                       + std::to_string(static_cast<int>(what)) + ", times "
                       + std::to_string(times));
    return true;
  }

private:
  simulation::scratch_directory scratch_{"-enumeration"};
  std::uint64_t states_ = 0;
};

} // namespace

TEST_P(Enumeration, KeepsItsPromisesOverACrashAtEachCall) {
  for (std::uint64_t number = 1; kill(number) && !HasFailure(); ++number) {
    std::optional<std::size_t> unsynced;
    for (const auto& left : test::all_survivors())
      unsynced = crash(number, left);
    for (std::size_t first = 1; first < unsynced.value_or(0); ++first)
      crash(number, {survivors::unsynced::first, first});
  }
}

TEST_P(Enumeration, KeepsItsPromisesOverACrashWhileRecovering) {
  for (std::uint64_t first = 1; !HasFailure(); first += first_crash_step) {
    std::uint64_t second = 1;
    while (crash_twice(first, second) && !HasFailure())
      ++second;
    if (second == 1)
      return;
  }
}

TEST_P(Enumeration, KeepsItsPromisesOverEachFailingCall) {
  constexpr std::uint64_t for_ever = UINT64_MAX;
  for (const auto what :
       {call_fault::kind::io_error, call_fault::kind::out_of_space})
    for (const auto times : {std::uint64_t{1}, for_ever})
      for (std::uint64_t number = 1; fail(what, number, times) && !HasFailure();
           ++number) {
      }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Enumeration,
                         ::testing::ValuesIn(scenarios().begin(),
                                             scenarios().end()),
                         [](const auto& each) { return each.param.name; });

} // namespace gnomon::enumeration
