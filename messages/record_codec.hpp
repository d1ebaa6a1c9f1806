// Between records and their bytes on disk; the format is docs/formats/log.md.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"

#include <string>

namespace gnomon::messages {

/// Appends the bytes of `source` to `to`. Its position is not among them: it
/// follows from the frame and the place in it.
void encode_record(const typed_record& source, bytes& to);

/// Returns how many bytes `encode_record` appends for `source`.
std::size_t encoded_size(const typed_record& source);

/// Takes the first record off `from`. The result borrows from it.
/// @param at  Position the record must get.
/// @returns `errc::corrupted` for bytes that are no record, and
///          `errc::format_too_new` for a layout, a record type, or a value
///          type below the users' range that this version does not know.
result<typed_record> decode_record(bytes_view& from, position at);

} // namespace gnomon::messages
