// What every message between applications and partitions consists of.

#pragma once

#include "gnomon/actors/caf_compat.hpp"

#include <concepts>
#include <cstdint>
#include <string>

/// First type id of this library's messages. The same on all nodes, and not
/// used by the application; define it for all sources alike to move it.
#ifndef GNOMON_FIRST_TYPE_ID
#  define GNOMON_FIRST_TYPE_ID (caf::first_custom_type_id + 700)
#endif

namespace gnomon {

inline constexpr std::uint32_t wire_version = 1;

/// A version and the bytes of a protobuf message: CAF's own serialisation
/// cannot evolve, protobuf can.
struct wire_bytes {
  std::uint32_t version = wire_version;
  std::string content = {};
};

template <class Inspector, std::derived_from<wire_bytes> Message>
auto inspect(Inspector& f, Message& x) {
  return inspect_fields(f, x, "gnomon::message", field{"version", x.version},
                        field{"content", x.content});
}

} // namespace gnomon
