// What holds for the due dates of every expression.

#pragma once

#include "gnomon/recurrence.hpp"
#include "tests/fuzz/target.hpp"

#include <string_view>
#include <vector>

namespace gnomon::fuzz {

/// Reads `expression` and checks the first due dates of what it means.
/// @param is_cron  Then they must lie strictly behind `anchor`.
inline void take_expression(std::string_view expression,
                            const recurrence_options& options, timestamp anchor,
                            bool is_cron) {
  parse_error fault;
  const auto rule = recurrence::parse(expression, options, anchor, &fault);
  if (!rule) {
    GNOMON_CHECK(rule.error().code == errc::invalid_argument);
    GNOMON_CHECK(fault.offset <= expression.size()
                 || fault.offset <= options.default_zone.size());
    return;
  }
  std::vector<occurrence> found;
  for (auto next = rule->first(); next && found.size() < 24;
       next = rule->next(*next))
    found.push_back(*next);
  GNOMON_CHECK(rule->repeats() || found.size() <= 1);
  if (found.empty())
    return;
  GNOMON_CHECK(!is_cron || found.front().due > anchor);
  bool grows = true;
  for (std::size_t i = 1; i < found.size(); ++i) {
    GNOMON_CHECK(found[i].number == found[i - 1].number + 1);
    grows = grows && found[i].due > found[i - 1].due;
  }
  GNOMON_CHECK(grows || expression.starts_with('R'));
  if (!grows)
    return;
  // The way in one leap leads where the way in steps does.
  for (const auto& each : {found[found.size() / 2], found.back()}) {
    const auto latest = rule->latest(found.front(), each.due);
    GNOMON_CHECK(latest);
    GNOMON_CHECK(*latest == each);
  }
  const auto far = rule->latest(found.back(), timestamp{1LL << 45});
  GNOMON_CHECK(!far || far->due >= found.back().due);
  GNOMON_CHECK(!far || far->number >= found.back().number);
}

} // namespace gnomon::fuzz
