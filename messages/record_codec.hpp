// Between records and their bytes on disk; the format is docs/formats/log.md.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace gnomon::messages {

/// Bytes of an encoded record that has no texts and no value.
inline constexpr std::size_t record_header_bytes = 56;

/// Version of the layout that `encode_record` writes.
inline constexpr std::uint8_t record_layout_version = 1;

/// Longest idempotency key that can be encoded.
inline constexpr std::size_t idempotency_key_bytes_max
  = std::numeric_limits<std::uint16_t>::max();

/// Appends the bytes of `source` to `to`. Its position is not among them: it
/// follows from the frame and the place in it.
/// @pre `encoded_size(source)` fits 32 bits, and the idempotency key is at most
///      `idempotency_key_bytes_max` long.
void encode_record(const typed_record& source, bytes& to);

/// Returns how many bytes `encode_record` appends for `source`.
inline std::size_t encoded_size(const typed_record& source) {
  return record_header_bytes + source.rejection_reason.size()
         + source.idempotency_key.size() + source.value.size();
}

/// Takes the first record off `from`. The result borrows from it; on an error,
/// `from` stays as it is.
/// @param at  Position the record must get; not none.
/// @returns `errc::corrupted` for bytes that are no record, and
///          `errc::format_too_new` for a layout, a record type, a rejection
///          type, or a value type below the users' range that this version
///          does not know.
result<typed_record> decode_record(bytes_view& from, position at);

} // namespace gnomon::messages
