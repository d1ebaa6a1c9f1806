// An error: what the caller should do (code) and what was attempted on what
// (context).

#pragma once

#include "gnomon/errc.hpp"

#include <string>
#include <utility>

namespace gnomon {

/// What failed. Plain value.
struct error {
  errc code = errc::none;

  /// What was attempted on what, e.g., "sync segment 3: no space left".
  std::string context;

  friend bool operator==(const error&, const error&) = default;
};

/// Renders `what` as "code: context".
inline std::string to_string(const error& what) {
  return to_string(what.code) + ": " + what.context;
}

} // namespace gnomon
