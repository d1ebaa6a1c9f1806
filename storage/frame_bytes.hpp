// Integers as frames and segments store them: little-endian, fixed size.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/check.hpp"

#include <concepts>
#include <cstddef>

namespace gnomon::storage {

/// Writes `value` at `offset`.
/// @pre It fits into `target`.
template <std::unsigned_integral T>
void put_integer(bytes& target, std::size_t offset, T value) {
  GNOMON_CHECK(offset + sizeof(T) <= target.size());
  for (std::size_t index = 0; index < sizeof(T); ++index)
    target[offset + index] = static_cast<char>(value >> (8 * index));
}

/// Reads an integer at `offset`.
/// @pre It lies within `source`.
template <std::unsigned_integral T>
T get_integer(bytes_view source, std::size_t offset) {
  GNOMON_CHECK(offset + sizeof(T) <= source.size());
  T value = 0;
  for (std::size_t index = 0; index < sizeof(T); ++index)
    value = static_cast<T>(
      value
      | static_cast<T>(
        static_cast<T>(static_cast<unsigned char>(source[offset + index]))
        << (8 * index)));
  return value;
}

} // namespace gnomon::storage
