// All that a state holds, in order: to compare two states, or to look at one.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/state.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace gnomon::storage {

/// Sees one entry of one column family; returns whether to go on.
using content_visitor
  = std::function<bool(column_family, bytes_view key, bytes_view value)>;

/// Visits every entry of every column family (ids 1 to 1999), both ascending.
/// @returns The failure of `state`, if any.
result<void> visit_content(const state_reader& state,
                           const content_visitor& visitor);

/// Returns XXH3-64 over all entries: `family u16 | key_bytes u32 | key |
/// value_bytes u64 | value`, little-endian. Empty and absent column families
/// are the same. Equal states have equal hashes, whoever stores them.
result<std::uint64_t> content_hash(const state_reader& state);

/// Renders all entries, one a line: "10 00ff0a = 01". For people and for tests
/// that say what differs.
result<std::string> content_text(const state_reader& state);

} // namespace gnomon::storage
