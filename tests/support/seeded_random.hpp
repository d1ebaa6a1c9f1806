// A random sequence that is the same on every machine and with every compiler.

#pragma once

#include "gnomon/check.hpp"

#include <cstdint>
#include <initializer_list>

namespace gnomon::test {

/// SplitMix64. The distributions of the standard library differ from one
/// implementation to the next, so none is used.
class seeded_random {
public:
  /// Sequences of one seed and different `stream`s are unrelated.
  explicit seeded_random(std::uint64_t seed, std::uint64_t stream = 0)
    : state_(mix(seed) ^ mix(stream + 0x9E3779B97F4A7C15)) {
    // nop
  }

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    return mix(state_);
  }

  /// Returns a number below `end`. @pre `end > 0`.
  std::uint64_t below(std::uint64_t end) {
    GNOMON_CHECK(end > 0);
    return next() % end;
  }

  /// Returns a number from `first` to `last`.
  std::int64_t between(std::int64_t first, std::int64_t last) {
    GNOMON_CHECK(first <= last);
    const auto count = static_cast<std::uint64_t>(last - first) + 1;
    return first + static_cast<std::int64_t>(below(count));
  }

  /// Says yes in `percent` of all cases.
  bool chance(std::uint64_t percent) {
    return below(100) < percent;
  }

  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }

  /// Spreads the bits of `value`.
  static constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
  }

private:
  std::uint64_t state_;
};

} // namespace gnomon::test
