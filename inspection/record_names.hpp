// Names for people and programmes: of kinds of records, and what is in them.

#pragma once

#include "gnomon/record.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gnomon::inspection {

/// Returns, e.g., "timer"; the number for those of users and unknown ones.
std::string name_of(value_type type);

/// Parses a name as `name_of` returns it, or the number of any value type.
std::optional<value_type> parse_value_type(std::string_view text);

/// Returns, e.g., "CREATED"; the number for those of users and unknown ones.
std::string name_of(value_type type, intent what);

/// Returns, e.g., "event".
std::string name_of(record_type kind);

/// Returns, e.g., "not_found"; empty for none.
std::string name_of(rejection_type type);

/// Returns the value of `source` as JSON, by the mapping of protobuf; nothing
/// if it is of a kind whose message is not known here, or malformed.
std::optional<std::string> value_as_json(const typed_record& source);

} // namespace gnomon::inspection
