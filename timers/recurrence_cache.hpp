// Spares parsing the same expression again and again.

#pragma once

#include "gnomon/recurrence.hpp"

#include <compare>
#include <cstddef>
#include <map>
#include <string>

namespace gnomon::timers {

/// All that a recurrence is made from. Plain value.
struct recurrence_source {
  std::string expression;

  /// Default zone; empty: UTC.
  std::string zone;

  bool cron_five_fields = false;
  timestamp anchor;

  friend auto operator<=>(const recurrence_source&, const recurrence_source&)
    = default;
};

/// Parses expressions and keeps the newest ones. A miss and a hit give the same
/// answer. Bounded: when it is full, it forgets all and begins anew.
class recurrence_cache {
public:
  explicit recurrence_cache(std::size_t entries_max);

  /// Parses `source`, unless it is known. A failure is not kept.
  /// @returns `errc::invalid_argument` with a context that points at the fault.
  result<recurrence> parse(const recurrence_source& source);

  std::size_t size() const {
    return entries_.size();
  }

private:
  std::size_t entries_max_;
  std::map<recurrence_source, recurrence> entries_;
};

} // namespace gnomon::timers
