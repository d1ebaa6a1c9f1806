#include "timers/recurrence/text_cursor.hpp"

#include "gnomon/check.hpp"

namespace gnomon::timers {

namespace {

constexpr std::size_t found_bytes_max = 24;

void append_escaped(std::string& out, char c) {
  constexpr char digits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7F) {
    out += c;
    return;
  }
  out += "\\x";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

} // namespace

std::string quoted(std::string_view text, std::size_t bytes_max) {
  std::string out = "\"";
  for (const char c : text.substr(0, bytes_max))
    append_escaped(out, c);
  out += text.size() > bytes_max ? "...\"" : "\"";
  return out;
}

text_cursor text_cursor::part(std::size_t begin, std::size_t end) const {
  GNOMON_CHECK(begin <= end);
  GNOMON_CHECK(end <= end_);
  text_cursor result{text_};
  result.offset_ = begin;
  result.end_ = end;
  return result;
}

void text_cursor::skip(std::size_t count) {
  GNOMON_CHECK(count <= end_ - offset_);
  offset_ += count;
}

bool text_cursor::take(char wanted) {
  if (at_end() || peek() != wanted)
    return false;
  ++offset_;
  return true;
}

bool text_cursor::take_letter(char upper_case) {
  if (at_end() || upper(peek()) != upper_case)
    return false;
  ++offset_;
  return true;
}

std::optional<std::int64_t>
text_cursor::take_number(std::string_view expected) {
  if (!is_digit(peek()))
    return fail(expected);
  const auto begin = offset_;
  std::int64_t value = 0;
  bool fits = true;
  for (; is_digit(peek()); ++offset_) {
    fits = fits && !__builtin_mul_overflow(value, 10, &value)
           && !__builtin_add_overflow(value, peek() - '0', &value);
  }
  if (!fits)
    return fail_since(begin, "a number below 2^63");
  return value;
}

std::optional<int> text_cursor::take_fixed(int digits, int min, int max,
                                           std::string_view expected) {
  const auto begin = offset_;
  int value = 0;
  for (int i = 0; i < digits; ++i) {
    if (!is_digit(peek()))
      return fail(expected);
    value = value * 10 + (peek() - '0');
    ++offset_;
  }
  if (value < min || value > max)
    return fail_since(begin, expected);
  return value;
}

std::optional<std::int64_t> text_cursor::take_fraction(int digits_min) {
  constexpr int digits_max = 9;
  std::int64_t value = 0;
  int digits = 0;
  for (; is_digit(peek()) && digits < digits_max; ++digits, ++offset_)
    value = value * 10 + (peek() - '0');
  if (digits < digits_min)
    return fail("a digit");
  if (is_digit(peek()))
    return fail("at most nine digits of a fraction");
  for (; digits < digits_max; ++digits)
    value *= 10;
  return value;
}

std::nullopt_t text_cursor::fail(std::string_view expected) {
  const auto found = offset_ == text_.size() ? std::string{"the end"}
                                             : quoted(text_.substr(offset_, 1));
  if (!error_)
    error_ = parse_error{offset_, found, std::string{expected}};
  return std::nullopt;
}

std::nullopt_t text_cursor::fail_since(std::size_t begin,
                                       std::string_view expected) {
  GNOMON_CHECK(begin <= offset_);
  if (begin == offset_)
    return fail(expected);
  if (!error_)
    error_ = parse_error{
      begin, quoted(text_.substr(begin, offset_ - begin), found_bytes_max),
      std::string{expected}};
  return std::nullopt;
}

std::nullopt_t text_cursor::fail_like(const text_cursor& part) {
  GNOMON_CHECK(part.error_.has_value());
  if (!error_)
    error_ = part.error_;
  return std::nullopt;
}

} // namespace gnomon::timers
