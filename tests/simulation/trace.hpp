// What a run did, folded into one number, and what was wrong with it.

#pragma once

#include "tests/support/seeded_random.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gnomon::simulation {

/// Collects the trace of one run. Two runs that differ in anything visible have
/// different hashes; bytes that a run draws itself, like the id of its log, are
/// not part of it.
class trace {
public:
  void note(std::uint64_t value) {
    hash_ = test::seeded_random::mix(hash_ ^ value) + 0x9E3779B97F4A7C15;
  }

  void note(std::string_view text) {
    note(text.size());
    for (const auto byte : text)
      note(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)));
  }

  std::uint64_t hash() const {
    return hash_;
  }

  /// Keeps the first breach of an invariant.
  void breach(std::string what) {
    if (breach_.empty())
      breach_ = std::move(what);
  }

  bool is_sound() const {
    return breach_.empty();
  }

  const std::string& first_breach() const {
    return breach_;
  }

private:
  std::uint64_t hash_ = 0;
  std::string breach_;
};

} // namespace gnomon::simulation
