#include "benchmarks/wheel/pauses.hpp"

#include "benchmarks/wheel/workload.hpp"
#include "gnomon/timing_wheel.hpp"

#include <algorithm>
#include <vector>

namespace gnomon::benchmarks {

namespace {

/// Best time of each call over several runs of the same calls.
class call_times {
public:
  void begin_run() {
    index_ = 0;
  }

  void add(double microseconds) {
    if (index_ == best_.size())
      best_.push_back(microseconds);
    best_[index_] = std::min(best_[index_], microseconds);
    ++index_;
  }

  double longest() const {
    return *std::max_element(best_.begin(), best_.end());
  }

private:
  std::vector<double> best_;
  std::size_t index_ = 0;
};

void advance(timing_wheel& wheel, std::uint64_t now, std::uint64_t budget,
             call_times& times) {
  for (bool more = true; more;) {
    const auto begin = thread_nanoseconds();
    more = wheel.advance(now, budget, [](const expired_timer&) {}).more;
    times.add((thread_nanoseconds() - begin) / 1000);
  }
}

} // namespace

double longest_pause_of_herd(std::size_t count, std::uint64_t budget,
                             int runs) {
  call_times times;
  for (int run = 0; run < runs; ++run) {
    timing_wheel wheel;
    wheel.reserve(count);
    std::mt19937 random{42};
    for (std::size_t i = 0; i < count; ++i)
      wheel.schedule(workload::hour + random() % 60'000, i);
    times.begin_run();
    for (std::uint64_t now = 1; !wheel.empty(); now = wheel.now() + 1)
      // Nobody calls before the next due date; that time goes by at once.
      advance(wheel, std::max(now, *wheel.next()), budget, times);
  }
  return times.longest();
}

double longest_pause_of_tick(std::size_t count, std::uint64_t budget,
                             int runs) {
  call_times times;
  for (int run = 0; run < runs; ++run) {
    timing_wheel wheel;
    wheel.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      wheel.schedule(workload::hour, i);
    times.begin_run();
    advance(wheel, workload::hour, budget, times);
  }
  return times.longest();
}

} // namespace gnomon::benchmarks
