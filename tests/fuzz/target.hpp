// What a fuzzer runs. Each target is one source with one `run`; it is linked
// with the fuzzer, or with the test that runs the corpus.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gnomon::fuzz {

/// Hands `input`, bytes from anywhere, to the subject of the target. A finding
/// ends the process: by a check, a sanitizer, or a limit of the fuzzer.
void run(bytes_view input);

/// Takes an input apart from its beginning; yields zeros behind its end.
class reader {
public:
  explicit reader(bytes_view input) : rest_(input) {
    // nop
  }

  bool empty() const {
    return rest_.empty();
  }

  /// Takes `count` bytes as a number, little-endian.
  std::uint64_t number(std::size_t count) {
    std::uint64_t result = 0;
    const auto found = bytes(count);
    for (std::size_t i = 0; i < found.size(); ++i)
      result |= std::uint64_t{static_cast<unsigned char>(found[i])} << (8 * i);
    return result;
  }

  /// Takes up to `count` bytes.
  bytes_view bytes(std::size_t count) {
    const auto result = rest_.substr(0, std::min(count, rest_.size()));
    rest_.remove_prefix(result.size());
    return result;
  }

  /// Takes bytes with their count, two bytes, in front.
  bytes_view counted() {
    return bytes(static_cast<std::size_t>(number(2)));
  }

  bytes_view rest() {
    return bytes(rest_.size());
  }

private:
  bytes_view rest_;
};

} // namespace gnomon::fuzz
