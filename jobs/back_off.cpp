#include "jobs/back_off.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::jobs {

namespace {

/// Returns a number that looks as if drawn at random (the finaliser of
/// splitmix64).
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return number ^ (number >> 31);
}

/// Returns `initial` times `factor` to the power `times`, at most `limit`.
std::int64_t grown(std::int64_t initial, std::int64_t factor,
                   std::uint32_t times, std::int64_t limit) {
  auto delay = std::min(initial, limit);
  if (factor < 2 || delay == 0)
    return delay;
  // At least doubled each time, so this ends after 63 rounds at most.
  for (std::uint32_t i = 0; i < times && delay < limit; ++i)
    if (__builtin_mul_overflow(delay, factor, &delay) || delay > limit)
      delay = limit;
  return delay;
}

/// Returns `percent` of `delay`; cannot overflow.
std::int64_t share(std::int64_t delay, std::uint32_t percent) {
  return delay / 100 * percent + delay % 100 * percent / 100;
}

} // namespace

std::optional<std::string> back_off_fault(const v1::BackOff& policy,
                                          std::int64_t delay_ms_max) {
  const auto in_range = [&](std::int64_t ms) {
    return ms >= 0 && ms <= delay_ms_max;
  };
  if (!in_range(policy.initial_ms()) || !in_range(policy.max_ms()))
    return "expected a back-off of 0 to " + std::to_string(delay_ms_max)
           + " ms, but it is " + std::to_string(policy.initial_ms()) + " to "
           + std::to_string(policy.max_ms()) + " ms";
  if (policy.jitter_percent() > 100)
    return "expected a jitter of 0 to 100 percent, but it is "
           + std::to_string(policy.jitter_percent());
  return std::nullopt;
}

std::int64_t delay_ms_after(const v1::BackOff& policy, std::uint32_t failures,
                            std::uint64_t seed, std::int64_t delay_ms_max) {
  GNOMON_CHECK(failures >= 1);
  const auto limit = policy.max_ms() != 0
                       ? std::min(policy.max_ms(), delay_ms_max)
                       : delay_ms_max;
  const auto delay
    = grown(policy.initial_ms(), policy.factor(), failures - 1, limit);
  const auto span = share(delay, policy.jitter_percent());
  const auto drawn = mixed(mixed(seed) ^ failures);
  const auto less = drawn % (static_cast<std::uint64_t>(span) + 1);
  GNOMON_CHECK(less <= static_cast<std::uint64_t>(delay));
  return delay - static_cast<std::int64_t>(less);
}

} // namespace gnomon::jobs
