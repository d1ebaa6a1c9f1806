// Tells where two states differ.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/state.hpp"

#include <optional>
#include <string>

namespace gnomon::inspection {

/// Which column families are compared.
enum class comparison : bool {
  everything,
  /// Without those that the users' appliers may have changed: their own, and
  /// the due index.
  library_only,
};

/// Returns the first entry that is not the same, in words, or nothing if the
/// states are equal.
result<std::optional<std::string>> find_difference(const state_reader& expected,
                                                   const state_reader& found,
                                                   comparison what);

} // namespace gnomon::inspection
