#include "exporters/record_json.hpp"

#include <cstdint>
#include <string_view>

namespace gnomon::exporters {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view base64_digits
  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void append_name(std::string_view name, std::string& to) {
  to += to.back() == '{' ? "\"" : ",\"";
  to += name;
  to += "\":";
}

void append_text(std::string_view text, std::string& to) {
  to += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (code < 0x20 || code == 0x7F) {
      to += "\\u00";
      to += hex_digits[code >> 4];
      to += hex_digits[code & 15];
    } else {
      to += c;
    }
  }
  to += '"';
}

void append_base64(std::string_view source, std::string& to) {
  to += '"';
  for (std::size_t i = 0; i < source.size(); i += 3) {
    const auto part = source.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8
             | (j < part.size() ? static_cast<unsigned char>(part[j]) : 0);
    to += base64_digits[bits >> 18 & 63];
    to += base64_digits[bits >> 12 & 63];
    to += part.size() > 1 ? base64_digits[bits >> 6 & 63] : '=';
    to += part.size() > 2 ? base64_digits[bits & 63] : '=';
  }
  to += '"';
}

/// 64 bits do not fit the numbers of JavaScript.
template <class Number>
void append_long(std::string_view name, Number number, std::string& to) {
  if (number == 0)
    return;
  append_name(name, to);
  to += '"' + std::to_string(number) + '"';
}

void append_short(std::string_view name, std::uint32_t number,
                  std::string& to) {
  if (number == 0)
    return;
  append_name(name, to);
  to += std::to_string(number);
}

/// @param value_name  Empty for a number that has none.
void append_enum(std::string_view name, int number, std::string_view value_name,
                 std::string& to) {
  if (number == 0)
    return;
  append_name(name, to);
  if (value_name.empty())
    to += std::to_string(number);
  else
    append_text(value_name, to);
}

} // namespace

void append_json(const v1::Record& source, std::string& to) {
  to += '{';
  append_long("position", source.position(), to);
  append_long("sourcePosition", source.source_position(), to);
  append_long("key", source.key(), to);
  append_long("scopeKey", source.scope_key(), to);
  append_long("timestampMs", source.timestamp_ms(), to);
  append_enum("recordType", source.record_type(),
              v1::RecordType_Name(source.record_type()), to);
  append_short("valueType", source.value_type(), to);
  append_short("intent", source.intent(), to);
  append_enum("rejectionType", source.rejection_type(),
              v1::RejectionType_Name(source.rejection_type()), to);
  if (!source.rejection_reason().empty()) {
    append_name("rejectionReason", to);
    append_text(source.rejection_reason(), to);
  }
  if (!source.idempotency_key().empty()) {
    append_name("idempotencyKey", to);
    append_text(source.idempotency_key(), to);
  }
  if (!source.value().empty()) {
    append_name("value", to);
    append_base64(source.value(), to);
  }
  append_short("valueVersion", source.value_version(), to);
  to += '}';
}

} // namespace gnomon::exporters
