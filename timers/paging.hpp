// Walking through a column family by key, one page at a time.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/state.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace gnomon::timers {

/// Bounds of one query.
struct query_limits {
  /// Entries of the answer.
  std::size_t results_max = 100;

  /// Entries of the state that are looked at, wanted or not.
  std::size_t visits_max = 100'000;
};

/// Sees one entry. @returns Whether it has become a result.
using page_visitor = std::function<bool(key about, bytes_view body)>;

/// Visits the entries of `family`, whose keys are 8-byte keys, behind `after`,
/// until one of the limits is reached.
/// @returns The key to go on behind, or nothing if there are no more entries.
std::optional<key> visit_page(const state_reader& state, column_family family,
                              key after, const query_limits& limits,
                              const page_visitor& visitor);

} // namespace gnomon::timers
