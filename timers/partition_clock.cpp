#include "timers/partition_clock.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::timers {

partition_clock::partition_clock(const clock& source,
                                 partition_clock_options options)
  : source_(source), options_(options) {
  GNOMON_CHECK(options_.clock_jump_max > duration::zero());
  GNOMON_CHECK(options_.clock_confirm >= duration::zero());
}

partition_clock::reading partition_clock::read() {
  const auto now = sample();
  if (is_jump(now) && !is_confirmed(now))
    return {last_, true};
  believe(now);
  return {last_, false};
}

void partition_clock::confirm() {
  const auto now = sample();
  trusted_ = now;
  believe(now);
}

void partition_clock::restore(timestamp last) {
  last_ = std::max(last_, last);
}

timestamp partition_clock::expected(const instant& from, const instant& now) {
  return from.wall
         + std::chrono::floor<duration>(now.monotonic - from.monotonic);
}

bool partition_clock::is_jump(const instant& now) const {
  if (!trusted_)
    return false;
  return now.wall - expected(*trusted_, now) > options_.clock_jump_max;
}

bool partition_clock::is_confirmed(const instant& now) {
  const auto is_consistent = [&] {
    const auto off = now.wall - expected(*suspect_, now);
    return off <= options_.clock_tolerance && off >= -options_.clock_tolerance;
  };
  if (!suspect_ || !is_consistent())
    suspect_ = now;
  return now.monotonic - suspect_->monotonic >= options_.clock_confirm;
}

void partition_clock::believe(const instant& now) {
  suspect_.reset();
  // A wall clock that has gone back is no measure for what it may return to.
  if (!trusted_ || now.wall >= last_)
    trusted_ = instant{std::max(now.wall, last_), now.monotonic};
  last_ = std::max(last_, now.wall);
}

partition_clock::instant partition_clock::sample() const {
  return {source_.wall(), source_.monotonic()};
}

} // namespace gnomon::timers
