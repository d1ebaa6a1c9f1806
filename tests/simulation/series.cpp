#include "tests/simulation/series.hpp"

#include "gnomon/clock.hpp"
#include "tests/simulation/scratch.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace gnomon::simulation {

namespace {

// Seed of the run that this thread is in: a check that fails ends the process.
thread_local std::uint64_t present_seed = 0;

void tell_seed(int) {
  char text[64];
  const auto size
    = std::snprintf(text, sizeof(text), "aborted in seed %llu\n",
                    static_cast<unsigned long long>(present_seed));
  static_cast<void>(!::write(2, text, static_cast<std::size_t>(size)));
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

double seconds_now() {
  return static_cast<double>(system_clock().monotonic().count()) * 1e-9;
}

class series {
public:
  explicit series(const series_options& options)
    : options_(options), begin_(seconds_now()) {
    outcome_.first_seed = options.first_seed;
  }

  series_outcome run() {
    std::signal(SIGABRT, tell_seed);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < options_.threads; ++i)
      others.emplace_back([this, i] { work(i); });
    work(0);
    for (auto& each : others)
      each.join();
    outcome_.seconds = seconds_now() - begin_;
    std::ranges::sort(outcome_.failures);
    return std::move(outcome_);
  }

private:
  void work(unsigned number) {
    const scratch_directory scratch{"-" + std::to_string(number)};
    for (;;) {
      const auto index = next_++;
      if (index >= options_.count || failed_ >= options_.failures_max)
        return;
      run_one(options_.first_seed + index, scratch.location());
    }
  }

  void run_one(std::uint64_t seed, const storage::path& scratch) {
    present_seed = seed;
    const auto found = simulate(seed, scratch);
    std::string failure;
    if (!found.breach.empty())
      failure = report(found, scratch);
    else if (seed % options_.repeat_one_of == 0
             && simulate(seed, scratch).hash != found.hash)
      failure = "seed " + std::to_string(seed) + ": a second run differs";
    if (!failure.empty())
      ++failed_;
    note(found, failure);
  }

  static std::string report(const run_outcome& found,
                            const storage::path& scratch) {
    const auto faults = shrink(found.faults, [&](const fault_plan& fewer) {
      return !simulate(found.seed, fewer, scratch).breach.empty();
    });
    const auto again = simulate(found.seed, faults, scratch);
    auto text = "seed " + std::to_string(found.seed) + ": " + again.breach;
    for (const auto& each : faults)
      text += "\n  " + to_string(each);
    return text;
  }

  void note(const run_outcome& found, const std::string& failure) {
    const std::lock_guard guard{mutex_};
    ++outcome_.runs;
    outcome_.records += found.records;
    outcome_.hash += test::seeded_random::mix(found.hash ^ found.seed);
    if (!failure.empty())
      outcome_.failures.push_back(failure);
    if (options_.show_progress && outcome_.runs % 500 == 0)
      std::fprintf(stderr, "%llu of %llu runs, %.0f/s\n",
                   static_cast<unsigned long long>(outcome_.runs),
                   static_cast<unsigned long long>(options_.count),
                   static_cast<double>(outcome_.runs)
                     / (seconds_now() - begin_));
  }

  const series_options options_;
  const double begin_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::size_t> failed_ = 0;
  std::mutex mutex_;
  series_outcome outcome_;
};

} // namespace

series_outcome run_series(const series_options& options) {
  return series{options}.run();
}

std::string to_string(const series_outcome& outcome) {
  char text[200];
  std::snprintf(
    text, sizeof(text),
    "simulated runs=%llu seeds=%llu..%llu failures=%zu rate=%.0f/s "
    "hash=%016llx",
    static_cast<unsigned long long>(outcome.runs),
    static_cast<unsigned long long>(outcome.first_seed),
    static_cast<unsigned long long>(outcome.first_seed + outcome.runs - 1),
    outcome.failures.size(),
    outcome.seconds > 0 ? static_cast<double>(outcome.runs) / outcome.seconds
                        : 0.0,
    static_cast<unsigned long long>(outcome.hash));
  return text;
}

} // namespace gnomon::simulation
