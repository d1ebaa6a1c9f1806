// What a partition does while it is stopped at each of its calls.

#pragma once

#include "tests/enumeration/stage.hpp"

#include <span>

namespace gnomon::enumeration {

struct scenario {
  const char* name;

  /// What was done before; nothing fails there.
  void (*prepare)(stage&);

  /// What is done while each call in turn fails or is the last one.
  void (*act)(stage&);
};

std::span<const scenario> scenarios();

} // namespace gnomon::enumeration
