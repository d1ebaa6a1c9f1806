// Reads an expression from left to right and remembers where it went wrong.

#pragma once

#include "gnomon/recurrence.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gnomon::timers {

/// Renders `text` in quotes, at most `bytes_max` bytes of it, with everything
/// but printable ASCII escaped, so that it may stand in any message.
std::string quoted(std::string_view text, std::size_t bytes_max = 200);

/// A place in a part of an expression. Offsets count from the start of the
/// whole expression, so that parts report faults in its terms.
///
/// Ownership: borrows the expression.
class text_cursor {
public:
  explicit text_cursor(std::string_view expression)
    : text_(expression), end_(expression.size()) {
    // nop
  }

  /// Returns a cursor for the bytes from `begin` to `end` only.
  text_cursor part(std::size_t begin, std::size_t end) const;

  std::size_t offset() const {
    return offset_;
  }

  /// Returns where the part ends.
  std::size_t end() const {
    return end_;
  }

  bool at_end() const {
    return offset_ == end_;
  }

  /// Returns the byte `ahead` of here; zero behind the end.
  char peek(std::size_t ahead = 0) const {
    return offset_ + ahead < end_ ? text_[offset_ + ahead] : '\0';
  }

  /// Returns what is left of the part.
  std::string_view rest() const {
    return text_.substr(offset_, end_ - offset_);
  }

  void skip(std::size_t count = 1);

  /// Steps over `wanted` if it is next.
  bool take(char wanted);

  /// As `take`, in upper or lower case.
  bool take_letter(char upper_case);

  /// Reads one or more digits.
  std::optional<std::int64_t> take_number(std::string_view expected);

  /// Reads exactly `digits` digits, of a value from `min` to `max`.
  std::optional<int> take_fixed(int digits, int min, int max,
                                std::string_view expected);

  /// Reads at least `digits_min` and at most nine digits as a fraction of one,
  /// in units of 10^-9.
  std::optional<std::int64_t> take_fraction(int digits_min);

  /// Notes that something else was expected here. The first fault counts.
  /// @returns Nothing, for use in a return statement.
  std::nullopt_t fail(std::string_view expected);

  /// As `fail`, about the bytes from `begin` to here.
  std::nullopt_t fail_since(std::size_t begin, std::string_view expected);

  /// Takes over the fault of a part.
  std::nullopt_t fail_like(const text_cursor& part);

  /// Returns the fault, if there was one.
  const std::optional<parse_error>& error() const {
    return error_;
  }

private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t end_ = 0;
  std::optional<parse_error> error_;
};

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

} // namespace gnomon::timers
