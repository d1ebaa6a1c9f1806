// Numbers as they stand in files: little-endian, fixed width.

#pragma once

#include "gnomon/bytes.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gnomon::storage {

/// Appends `number` to `to`, lowest byte first.
template <std::unsigned_integral T>
void append_little_endian(bytes& to, T number) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    to.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

/// Takes numbers off the front of borrowed bytes.
///
/// Once something is missing, that and all later reads give zero, and `failed`
/// says so; a layout is read in one go and checked once.
class little_endian_reader {
public:
  explicit little_endian_reader(bytes_view source) : rest_(source) {
    // nop
  }

  template <std::unsigned_integral T>
  T read() {
    T number = 0;
    const auto part = read_bytes(sizeof(T));
    for (std::size_t i = 0; i < part.size(); ++i)
      number = static_cast<T>(
        number
        | static_cast<T>(static_cast<unsigned char>(part[i])) << (8 * i));
    return number;
  }

  /// Returns the next `count` bytes, or none if there are fewer.
  bytes_view read_bytes(std::size_t count) {
    if (failed_ || rest_.size() < count) {
      failed_ = true;
      return {};
    }
    const auto part = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return part;
  }

  /// Returns whether a read went beyond the end.
  bool failed() const {
    return failed_;
  }

  /// Returns whether everything was read and nothing was missing.
  bool complete() const {
    return !failed_ && rest_.empty();
  }

  bytes_view rest() const {
    return rest_;
  }

private:
  bytes_view rest_;
  bool failed_ = false;
};

} // namespace gnomon::storage
