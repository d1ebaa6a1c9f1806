#include "gnomon/state_key.hpp"

namespace gnomon {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

template <class Integer>
std::optional<Integer> take_big_endian(bytes_view& from) {
  if (from.size() < sizeof(Integer))
    return std::nullopt;
  std::uint64_t part = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    part = part << 8 | static_cast<unsigned char>(from[i]);
  from.remove_prefix(sizeof(Integer));
  return static_cast<Integer>(part);
}

} // namespace

state_key& state_key::add(std::string_view part) {
  for (const auto c : part)
    c == '\0' ? append("\0\xFF", 2) : append(&c, 1);
  append("\0", 2);
  return *this;
}

void state_key::append_long(const char* part, std::size_t part_bytes) {
  if (long_.empty())
    long_.assign(short_.data(), short_bytes_);
  long_.append(part, part_bytes);
}

std::optional<std::uint16_t> state_key_reader::read_u16() {
  return take_big_endian<std::uint16_t>(rest_);
}

std::optional<std::uint32_t> state_key_reader::read_u32() {
  return take_big_endian<std::uint32_t>(rest_);
}

std::optional<std::uint64_t> state_key_reader::read_u64() {
  return take_big_endian<std::uint64_t>(rest_);
}

std::optional<std::int64_t> state_key_reader::read_i64() {
  auto part = take_big_endian<std::uint64_t>(rest_);
  if (!part)
    return std::nullopt;
  return static_cast<std::int64_t>(*part ^ sign_bit);
}

std::optional<std::string> state_key_reader::read_text() {
  std::string text;
  for (std::size_t i = 0; i + 1 < rest_.size(); ++i) {
    if (rest_[i] != '\0') {
      text.push_back(rest_[i]);
      continue;
    }
    const auto mark = rest_[++i];
    if (mark == '\0') {
      rest_.remove_prefix(i + 1);
      return text;
    }
    if (mark != '\xFF')
      return std::nullopt;
    text.push_back('\0');
  }
  return std::nullopt;
}

} // namespace gnomon
