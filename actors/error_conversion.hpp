// Errors of the library as CAF carries them.

#pragma once

#include "gnomon/error.hpp"
#include "gnomon/partition.hpp"

#include <caf/error.hpp>

namespace gnomon {

/// Returns `what` as an error of CAF, with its context.
inline caf::error to_caf(const error& what) {
  return caf::make_error(what.code, what.context);
}

} // namespace gnomon
