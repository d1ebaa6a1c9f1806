// Keys of the state whose byte order is the order of what they encode.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/position.hpp"
#include "gnomon/timestamp.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace gnomon {

/// Builds a key: big-endian integers, signed ones with the sign bit flipped;
/// text is escaped and terminated so that it may stand before other parts.
class state_key {
public:
  state_key& add(std::uint16_t part) {
    return add_big_endian(part);
  }

  state_key& add(std::uint32_t part) {
    return add_big_endian(part);
  }

  state_key& add(std::uint64_t part) {
    return add_big_endian(part);
  }

  /// Flips the sign bit: negative numbers sort before positive ones.
  state_key& add(std::int64_t part) {
    return add(static_cast<std::uint64_t>(part) ^ std::uint64_t{1} << 63);
  }

  state_key& add(timestamp part) {
    return add(part.value);
  }

  state_key& add(gnomon::key part) {
    return add(part.value);
  }

  state_key& add(position part) {
    return add(part.value);
  }

  /// Adds `part` with each zero byte doubled to `00 FF`, then `00 00`.
  state_key& add(std::string_view part);

  /// Returns the bytes built so far; they live as long as this object.
  bytes_view view() const {
    return long_.empty() ? bytes_view{short_.data(), short_bytes_} : long_;
  }

private:
  template <class Integer>
  state_key& add_big_endian(Integer part) {
    std::array<char, sizeof(Integer)> digits;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
      digits[i]
        = static_cast<char>(part >> (8 * (sizeof(Integer) - 1 - i)) & 0xFF);
    append(digits.data(), digits.size());
    return *this;
  }

  void append(const char* part, std::size_t part_bytes) {
    if (!long_.empty() || short_bytes_ + part_bytes > short_.size())
      return append_long(part, part_bytes);
    std::memcpy(short_.data() + short_bytes_, part, part_bytes);
    short_bytes_ += part_bytes;
  }

  void append_long(const char* part, std::size_t part_bytes);

  /// All bytes, as long as they fit.
  std::array<char, 64> short_;
  std::size_t short_bytes_ = 0;

  /// All bytes, once they do not.
  std::string long_;
};

/// Takes a key apart again, from the front.
///
/// Each `read` returns nothing once the bytes do not hold what was asked for.
class state_key_reader {
public:
  explicit state_key_reader(bytes_view source) : rest_(source) {
    // nop
  }

  std::optional<std::uint16_t> read_u16();

  std::optional<std::uint32_t> read_u32();

  std::optional<std::uint64_t> read_u64();

  std::optional<std::int64_t> read_i64();

  std::optional<std::string> read_text();

  /// Returns the bytes not read yet.
  bytes_view rest() const {
    return rest_;
  }

private:
  bytes_view rest_;
};

} // namespace gnomon
