#include "timers/paging.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"

#include <limits>

namespace gnomon::timers {

std::optional<key> visit_page(const state_reader& state, column_family family,
                              key after, const query_limits& limits,
                              const page_visitor& visitor) {
  // Without a visit there is no progress, and paging would never end.
  GNOMON_CHECK(limits.results_max > 0);
  GNOMON_CHECK(limits.visits_max > 0);
  if (after.value == std::numeric_limits<std::uint64_t>::max())
    return std::nullopt;
  std::optional<key> next_after;
  std::size_t results = 0;
  std::size_t visits = 0;
  key last = after;
  const auto see = [&](bytes_view found, bytes_view body) {
    if (results == limits.results_max || visits == limits.visits_max) {
      next_after = last;
      return false;
    }
    ++visits;
    last = {state_key_reader{found}.read_u64().value_or(last.value)};
    if (visitor(last, body))
      ++results;
    return true;
  };
  state.visit(family, state_key{}.add(key{after.value + 1}).view(), see);
  return next_after;
}

} // namespace gnomon::timers
