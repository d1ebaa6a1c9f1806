// Cron, in zones with and without daylight saving. Input: flags, ms behind
// 1970, expression.

#include "tests/fuzz/recurrence_checks.hpp"

#include <array>

namespace gnomon::fuzz {

namespace {

constexpr std::array zones{"UTC", "Europe/Berlin", "America/New_York",
                           "Australia/Lord_Howe", "+05:45"};

} // namespace

void run(bytes_view input) {
  reader in{input};
  const auto flags = in.number(1);
  const timestamp anchor{static_cast<std::int64_t>(in.number(6) % (1LL << 43))};
  const auto* zone = zones.at((flags >> 1) % zones.size());
  const auto expression = in.rest();
  // Other beginnings may also be those of a date.
  const bool is_cron = expression.find_first_of("@*?") == 0;
  take_expression(expression, {zone, (flags & 1) == 1}, anchor, is_cron);
}

} // namespace gnomon::fuzz
