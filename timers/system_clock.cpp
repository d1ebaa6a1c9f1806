#include "gnomon/clock.hpp"

#include <ctime>

namespace gnomon {

namespace {

std::chrono::nanoseconds read(clockid_t which) {
  timespec now{};
  ::clock_gettime(which, &now);
  return std::chrono::seconds{now.tv_sec}
         + std::chrono::nanoseconds{now.tv_nsec};
}

class os_clock final : public clock {
public:
  timestamp wall() const override {
    return {std::chrono::floor<duration>(read(CLOCK_REALTIME)).count()};
  }

  std::chrono::nanoseconds monotonic() const override {
    // CLOCK_MONOTONIC stops while the machine sleeps; waiting must not.
    return read(CLOCK_BOOTTIME);
  }
};

} // namespace

const clock& system_clock() {
  static const os_clock instance;
  return instance;
}

} // namespace gnomon
