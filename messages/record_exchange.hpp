// Between records and their exchange form, `gnomon.v1.Record`.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result.hpp"
#include "gnomon/v1/record.pb.h"

namespace gnomon::messages {

/// Fills `to`, which must be empty, with the exchange form of `source`.
void to_exchange(record source, v1::Record& to);

/// As above, and copies the texts and the value.
void to_exchange(const typed_record& source, v1::Record& to);

/// Returns the record that `source` stands for.
/// @returns `errc::invalid_argument` if a number does not fit its field or a
///          required one is missing, `errc::format_too_new` for a record type
///          or rejection type that this version does not know.
result<record> from_exchange(const v1::Record& source);

} // namespace gnomon::messages
