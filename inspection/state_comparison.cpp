#include "inspection/state_comparison.hpp"

#include "storage/state_content.hpp"

#include <cstdint>

namespace gnomon::inspection {

namespace {

// Column families of the due index, see docs/formats/state.md.
constexpr std::uint16_t near_due = 10;
constexpr std::uint16_t far_due = 15;
constexpr std::uint16_t users_begin = 1000;
constexpr std::size_t bytes_shown_max = 32;

bool is_compared(column_family family, comparison what) {
  if (what == comparison::everything)
    return true;
  return family.id != near_due && family.id != far_due
         && family.id < users_begin;
}

std::string hex(bytes_view source) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : source.substr(0, bytes_shown_max)) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return source.size() > bytes_shown_max ? text + "..." : text;
}

std::string place(column_family family, bytes_view key) {
  return "column family " + std::to_string(family.id) + ", key " + hex(key);
}

/// Returns the first entry of `all` that `other` does not have alike.
result<std::optional<std::string>> first_unlike(const state_reader& all,
                                                const state_reader& other,
                                                comparison what,
                                                const std::string& absent) {
  std::optional<std::string> difference;
  const auto visited = storage::visit_content(
    all, [&](column_family family, bytes_view key, bytes_view value) {
      if (!is_compared(family, what))
        return true;
      const auto met = other.get(family, key);
      if (!met)
        difference = place(family, key) + absent;
      else if (*met != value)
        difference = place(family, key) + ": " + hex(value) + " by replay, "
                     + hex(*met) + " in the state";
      return !difference;
    });
  if (!visited)
    return visited.error();
  if (other.failure())
    return *other.failure();
  return difference;
}

} // namespace

result<std::optional<std::string>> find_difference(const state_reader& expected,
                                                   const state_reader& found,
                                                   comparison what) {
  auto missing
    = first_unlike(expected, found, what, ": is missing in the state");
  if (!missing || *missing)
    return missing;
  return first_unlike(found, expected, what, ": is not there by replay");
}

} // namespace gnomon::inspection
