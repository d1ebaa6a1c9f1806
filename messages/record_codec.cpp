#include "messages/record_codec.hpp"

#include "gnomon/check.hpp"

#include <cstring>

namespace gnomon::messages {

namespace {

// Offsets of the fields, all little-endian. See docs/formats/log.md.
constexpr std::size_t length_at = 0;
constexpr std::size_t layout_version_at = 4;
constexpr std::size_t record_type_at = 5;
constexpr std::size_t value_version_at = 6;
constexpr std::size_t reserved_at = 7;
constexpr std::size_t value_type_at = 8;
constexpr std::size_t intent_at = 10;
constexpr std::size_t rejection_type_at = 12;
constexpr std::size_t idempotency_key_length_at = 14;
constexpr std::size_t source_position_at = 16;
constexpr std::size_t key_at = 24;
constexpr std::size_t scope_key_at = 32;
constexpr std::size_t timestamp_at = 40;
constexpr std::size_t tenant_at = 48;
constexpr std::size_t reason_length_at = 52;

static_assert(reason_length_at + 4 == record_header_bytes);

template <class Integer>
void put(char* header, std::size_t at, Integer number) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    header[at + i] = static_cast<char>(number >> (8 * i) & 0xFF);
}

template <class Integer>
Integer take(bytes_view from, std::size_t at) {
  Integer number = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    number = static_cast<Integer>(
      number
      | static_cast<Integer>(Integer{static_cast<unsigned char>(from[at + i])}
                             << (8 * i)));
  return number;
}

constexpr auto last_value_type = value_type::partition;
constexpr auto last_record_type = record_type::command_rejection;
constexpr auto last_rejection_type = rejection_type::processing_failed;

gnomon::error fault(errc code, position at, const char* what) {
  return {code, "decode record " + std::to_string(at.value) + ": " + what};
}

// Kinds that a newer version may have added.
const char* unknown_kind(const record_header& met) {
  if (met.record_type > last_record_type)
    return "unknown record type";
  if (met.rejection_type > last_rejection_type)
    return "unknown rejection type";
  if (met.value_type > last_value_type
      && static_cast<std::uint16_t>(met.value_type) < user_value_types_begin)
    return "unknown value type";
  return nullptr;
}

// What no version ever writes.
const char* malformed_kind(const record_header& met) {
  if (met.record_type == record_type::unspecified)
    return "no record type";
  if (met.value_type == value_type::unspecified)
    return "no value type";
  if (met.intent.value == 0)
    return "no intent";
  const auto rejected = met.record_type == record_type::command_rejection;
  if (rejected != (met.rejection_type != rejection_type::unspecified))
    return "rejection type does not fit the record type";
  if (met.source_position >= met.position)
    return "source position is not before the record";
  return nullptr;
}

void take_header(bytes_view from, record_header& to) {
  to.record_type
    = static_cast<record_type>(take<std::uint8_t>(from, record_type_at));
  to.value_version = take<std::uint8_t>(from, value_version_at);
  to.value_type
    = static_cast<value_type>(take<std::uint16_t>(from, value_type_at));
  to.intent.value = take<std::uint16_t>(from, intent_at);
  to.rejection_type
    = static_cast<rejection_type>(take<std::uint16_t>(from, rejection_type_at));
  to.source_position.value = take<std::uint64_t>(from, source_position_at);
  to.key.value = take<std::uint64_t>(from, key_at);
  to.scope_key.value = take<std::uint64_t>(from, scope_key_at);
  to.timestamp.value
    = static_cast<std::int64_t>(take<std::uint64_t>(from, timestamp_at));
  to.tenant = take<std::uint32_t>(from, tenant_at);
}

// Takes the texts and the value; false if they do not fit the record.
bool take_texts(bytes_view from, typed_record& to) {
  const std::uint64_t key_length
    = take<std::uint16_t>(from, idempotency_key_length_at);
  const std::uint64_t reason_length
    = take<std::uint32_t>(from, reason_length_at);
  auto rest = from.substr(record_header_bytes);
  if (reason_length + key_length > rest.size())
    return false;
  to.rejection_reason = rest.substr(0, reason_length);
  to.idempotency_key = rest.substr(reason_length, key_length);
  to.value = rest.substr(reason_length + key_length);
  return true;
}

} // namespace

void encode_record(const typed_record& source, bytes& to) {
  const auto size = encoded_size(source);
  GNOMON_CHECK(size <= std::numeric_limits<std::uint32_t>::max());
  GNOMON_CHECK(source.idempotency_key.size() <= idempotency_key_bytes_max);
  char header[record_header_bytes];
  put(header, length_at, static_cast<std::uint32_t>(size));
  put(header, layout_version_at, record_layout_version);
  put(header, record_type_at, static_cast<std::uint8_t>(source.record_type));
  put(header, value_version_at, source.value_version);
  put(header, reserved_at, std::uint8_t{0});
  put(header, value_type_at, static_cast<std::uint16_t>(source.value_type));
  put(header, intent_at, source.intent.value);
  put(header, rejection_type_at,
      static_cast<std::uint16_t>(source.rejection_type));
  put(header, idempotency_key_length_at,
      static_cast<std::uint16_t>(source.idempotency_key.size()));
  put(header, source_position_at, source.source_position.value);
  put(header, key_at, source.key.value);
  put(header, scope_key_at, source.scope_key.value);
  put(header, timestamp_at, static_cast<std::uint64_t>(source.timestamp.value));
  put(header, tenant_at, source.tenant);
  put(header, reason_length_at,
      static_cast<std::uint32_t>(source.rejection_reason.size()));
  to.append(header, record_header_bytes)
    .append(source.rejection_reason)
    .append(source.idempotency_key)
    .append(source.value);
}

result<typed_record> decode_record(bytes_view& from, position at) {
  GNOMON_CHECK(at);
  // The layout version stands at the same place in every layout.
  if (from.size() <= layout_version_at)
    return fault(errc::corrupted, at, "cut off");
  const auto version = take<std::uint8_t>(from, layout_version_at);
  if (version > record_layout_version)
    return fault(errc::format_too_new, at, "unknown layout version");
  if (version == 0)
    return fault(errc::corrupted, at, "no layout version");
  const std::size_t length = take<std::uint32_t>(from, length_at);
  if (length > from.size() || length < record_header_bytes)
    return fault(errc::corrupted, at, "length does not fit the frame");
  const auto encoded = from.substr(0, length);
  if (take<std::uint8_t>(encoded, reserved_at) != 0)
    return fault(errc::format_too_new, at, "reserved field is in use");
  typed_record found;
  found.position = at;
  take_header(encoded, found);
  if (const auto* what = unknown_kind(found))
    return fault(errc::format_too_new, at, what);
  if (const auto* what = malformed_kind(found))
    return fault(errc::corrupted, at, what);
  if (!take_texts(encoded, found))
    return fault(errc::corrupted, at, "texts are longer than the record");
  from.remove_prefix(length);
  return found;
}

} // namespace gnomon::messages
