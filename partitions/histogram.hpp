// Counts values by how large they are.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace gnomon::partitions {

/// How many values were at most each bound and above the one before it. To
/// observe is a search among a few numbers and two additions.
///
/// Threads: one owner.
class histogram {
public:
  /// @param bounds  Ascending.
  histogram(std::initializer_list<std::uint64_t> bounds)
    : bounds_(bounds), counts_(bounds.size() + 1) {
    // nop
  }

  void observe(std::uint64_t value) {
    const auto place = std::ranges::lower_bound(bounds_, value);
    ++counts_[static_cast<std::size_t>(place - bounds_.begin())];
    sum_ += value;
  }

  const std::vector<std::uint64_t>& bounds() const {
    return bounds_;
  }

  /// Returns one count for each bound, and that of values above all.
  const std::vector<std::uint64_t>& counts() const {
    return counts_;
  }

  std::uint64_t sum() const {
    return sum_;
  }

private:
  std::vector<std::uint64_t> bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t sum_ = 0;
};

/// Bounds for durations in microseconds, from 50 us to 10 s.
inline constexpr std::initializer_list<std::uint64_t> duration_bounds_us = {
  50,     100,    250,     500,     1'000,   2'500,     5'000,     10'000,
  25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 10'000'000};

} // namespace gnomon::partitions
