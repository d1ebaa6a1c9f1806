// Expressions of any form. Input: flags, anchor, default zone, expression.

#include "tests/fuzz/recurrence_checks.hpp"

namespace gnomon::fuzz {

void run(bytes_view input) {
  reader in{input};
  const auto flags = in.number(1);
  const timestamp anchor{static_cast<std::int64_t>(in.number(8))};
  const auto zone = in.bytes(flags >> 3);
  take_expression(in.rest(),
                  {zone.empty() ? "UTC" : std::string{zone}, (flags & 1) == 1},
                  anchor, false);
}

} // namespace gnomon::fuzz
