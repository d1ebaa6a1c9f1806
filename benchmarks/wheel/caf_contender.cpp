#include "benchmarks/wheel/caf_contender.hpp"

#include <caf/all.hpp>

#include <chrono>
#include <future>

namespace gnomon::benchmarks {

namespace {

using steady = std::chrono::steady_clock;

double nanoseconds_since(steady::time_point begin) {
  return std::chrono::duration<double, std::nano>(steady::now() - begin)
    .count();
}

caf::behavior counting(caf::event_based_actor* self, std::size_t wanted,
                       std::promise<void>* all_there) {
  auto count = std::make_shared<std::size_t>(0);
  return {
    [=](int) {
      if (++*count < wanted)
        return;
      all_there->set_value();
      self->quit();
    },
  };
}

} // namespace

caf_timings run_caf(std::size_t count) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  std::promise<void> all_there;
  auto receiver = system.spawn(counting, count, &all_there);
  caf::scoped_actor self{system};
  // Long enough to have scheduled all of them before the first is due.
  const auto wait = std::chrono::microseconds{100'000 + 6 * count};
  const auto begin = steady::now();
  const auto due = begin + wait;
  for (std::size_t i = 0; i < count; ++i)
    self->delayed_send(receiver, due - steady::now(), 1);
  caf_timings result;
  result.schedule = nanoseconds_since(begin) / static_cast<double>(count);
  all_there.get_future().wait();
  result.expire = nanoseconds_since(due) / static_cast<double>(count);
  return result;
}

} // namespace gnomon::benchmarks
