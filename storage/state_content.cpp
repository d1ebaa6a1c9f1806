#include "storage/state_content.hpp"

#include "storage/ports/little_endian.hpp"

#include <xxhash.h>

#include <memory>

namespace gnomon::storage {

namespace {

constexpr std::uint16_t families_end = 2000;

struct free_hash {
  void operator()(XXH3_state_t* state) const {
    XXH3_freeState(state);
  }
};

void append_hexadecimal(std::string& to, bytes_view part) {
  constexpr char digits[] = "0123456789abcdef";
  for (auto c : part) {
    to.push_back(digits[static_cast<unsigned char>(c) >> 4]);
    to.push_back(digits[static_cast<unsigned char>(c) & 0xF]);
  }
}

} // namespace

result<void> visit_content(const state_reader& state,
                           const content_visitor& visitor) {
  bool more = true;
  for (std::uint16_t id = 1; id < families_end && more; ++id)
    state.visit({id}, {}, [&](bytes_view key, bytes_view value) {
      more = visitor({id}, key, value);
      return more;
    });
  if (state.failure())
    return *state.failure();
  return {};
}

result<std::uint64_t> content_hash(const state_reader& state) {
  std::unique_ptr<XXH3_state_t, free_hash> hash{XXH3_createState()};
  GNOMON_CHECK(hash != nullptr);
  XXH3_64bits_reset(hash.get());
  bytes lengths;
  auto add = [&](bytes_view part) {
    XXH3_64bits_update(hash.get(), part.data(), part.size());
  };
  auto visited = visit_content(
    state, [&](column_family family, bytes_view key, bytes_view value) {
      lengths.clear();
      append_little_endian(lengths, family.id);
      append_little_endian(lengths, static_cast<std::uint32_t>(key.size()));
      add(lengths);
      add(key);
      lengths.clear();
      append_little_endian(lengths, std::uint64_t{value.size()});
      add(lengths);
      add(value);
      return true;
    });
  if (!visited)
    return visited.error();
  return std::uint64_t{XXH3_64bits_digest(hash.get())};
}

result<std::string> content_text(const state_reader& state) {
  std::string text;
  auto visited = visit_content(
    state, [&](column_family family, bytes_view key, bytes_view value) {
      text += std::to_string(family.id);
      text += ' ';
      append_hexadecimal(text, key);
      text += " = ";
      append_hexadecimal(text, value);
      text += '\n';
      return true;
    });
  if (!visited)
    return visited.error();
  return text;
}

} // namespace gnomon::storage
