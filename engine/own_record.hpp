// From a record that borrows to one that owns.

#pragma once

#include "gnomon/record.hpp"

namespace gnomon::engine {

/// Copies what `source` borrows.
inline record own_record(const typed_record& source) {
  return {source, std::string{source.rejection_reason},
          std::string{source.idempotency_key}, bytes{source.value}};
}

} // namespace gnomon::engine
