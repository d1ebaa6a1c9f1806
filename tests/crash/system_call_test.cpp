// A process that ends, or is refused, at each of its calls of the system. LMDB
// and the C library are as they are: the calls are injected from outside.

#include "tests/crash/aftermath.hpp"
#include "tests/crash/child_process.hpp"
#include "tests/crash/crash_options.hpp"
#include "tests/simulation/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace gnomon::crash {

namespace {

constexpr const char* tracer = "/usr/bin/strace";

class SystemCall : public ::testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    if (!can_trace())
      GTEST_SKIP() << "strace is not there, or may not trace";
  }

  static bool can_trace() {
    static const auto can = [] {
      test::child_process process{
        {tracer, "-qq", "-o", "/dev/null", "/bin/true"}};
      return process.finish() == 0;
    }();
    return can;
  }

  /// Runs the script; strace does what `option` says, and notes the calls.
  /// @returns Its exit status; -1 if it was killed.
  int run(const std::string& option) {
    std::filesystem::remove_all(directory());
    acknowledged.clear();
    test::child_process process{{tracer, "-qq", "-o", calls_file(), "-e",
                                 option, GNOMON_SCRIPT_PROCESS,
                                 directory().string()}};
    for (auto line = process.read_line(); !line.empty();
         line = process.read_line())
      note(line, acknowledged);
    return process.finish();
  }

  std::string noted_calls() const {
    std::ifstream calls{calls_file()};
    return {std::istreambuf_iterator<char>{calls}, {}};
  }

  std::string calls_file() const {
    return scratch_.location() / "calls";
  }

  /// Returns how many of these calls the script makes, and its start before it.
  int count_calls() {
    run(std::string{"trace="} + GetParam());
    return static_cast<int>(std::ranges::count(noted_calls(), '\n'));
  }

  /// Strikes the calls one after the other, each in a directory of its own.
  void strike_each(const std::string& fault, const std::string& suffix) {
    const auto calls = count_calls();
    EXPECT_GT(calls, 0);
    for (int number = 1; number <= calls && !HasFailure(); ++number) {
      const auto status = run(std::string{"inject="} + GetParam() + ':' + fault
                              + ":when=" + std::to_string(number) + suffix);
      EXPECT_TRUE(status == -1
                  || noted_calls().find("(INJECTED)") != std::string::npos)
        << "call " << number << " was not struck";
      EXPECT_EQ(judge(crash_options(directory()), acknowledged), "")
        << GetParam() << " number " << number << ", " << fault;
    }
    std::printf("%s, %s: %d runs\n", GetParam(), fault.c_str(), calls);
  }

  std::filesystem::path directory() const {
    return scratch_.location() / "partition";
  }

  acknowledged_outcomes acknowledged;

private:
  simulation::scratch_directory scratch_{"-system-call"};
};

} // namespace

TEST_P(SystemCall, LosesNothingIfTheProcessIsKilledThere) {
  strike_each("signal=SIGKILL", "");
}

TEST_P(SystemCall, LosesNothingIfTheDeviceFailsOnce) {
  strike_each("error=EIO", "");
}

TEST_P(SystemCall, LosesNothingIfTheDeviceIsFullFromThenOn) {
  strike_each("error=ENOSPC", "+");
}

INSTANTIATE_TEST_SUITE_P(
  Calls, SystemCall,
  ::testing::Values("pwrite64", "writev", "fdatasync", "fsync", "rename",
                    "ftruncate", "fallocate", "openat", "mkdir", "unlink"),
  [](const auto& each) { return std::string{each.param}; });

} // namespace gnomon::crash
