// Offsets of wall clocks: UTC, fixed offsets, and the zones of the system's
// database.

#pragma once

#include "gnomon/timestamp.hpp"

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gnomon::timers {

class text_cursor;

/// Seconds since 1970-01-01T00:00:00, on the wall of some zone.
using wall_seconds = std::int64_t;

/// Seconds since 1970-01-01T00:00:00Z.
using utc_seconds = std::int64_t;

/// When a wall clock shows what it shows.
struct wall_meaning {
  enum class kind {
    /// Once: all three members are that instant.
    once,
    /// Never, the clock is put forward over it at `change`.
    never,
    /// Twice, at `first` and `second`; the clock is put back at `change`.
    twice,
  };

  kind shown = kind::once;
  /// By the offset before the change. For `never`, this is behind the change,
  /// by as much as the wall time lies behind the start of the gap.
  utc_seconds first = 0;
  utc_seconds change = 0;
  /// By the offset from the change on.
  utc_seconds second = 0;
};

/// A change of the offset: at `at`, the wall goes from `from` to `to`.
struct offset_change {
  utc_seconds at = 0;
  wall_seconds from = 0;
  wall_seconds to = 0;
};

/// The offset of a wall clock from UTC as a function of time. Cheap to copy.
class zone {
public:
  /// UTC.
  zone() = default;

  /// A clock that is `offset_seconds` ahead of UTC for ever.
  static zone fixed(std::int32_t offset_seconds);

  /// Finds a zone by its IANA name (`Europe/Berlin`, `UTC`), or reads an offset
  /// (`Z`, `+01`, `+01:00`, `+01:00:30`). Names are case-sensitive. A zone met
  /// before in this thread costs a few nanoseconds.
  static std::optional<zone> find(std::string_view name);

  bool is_fixed() const {
    return fixed_;
  }

  /// Returns how far the wall is ahead of UTC at `when`.
  std::int32_t offset_at(utc_seconds when) const;

  wall_meaning meaning(wall_seconds wall) const;

  /// Returns the first change behind `when` that the database lists. Its list
  /// ends 400 years behind the last rule of the zone.
  std::optional<offset_change> next_change(utc_seconds when) const;

private:
  bool fixed_ = true;
  std::int32_t offset_ = 0;
  absl::TimeZone rules_;
};

/// Reads `+HH`, `+HH:MM` or `+HH:MM:SS`, up to 18 hours, or `Z`. Ahead of UTC
/// is positive; in seconds.
std::optional<std::int32_t> parse_offset(text_cursor& in);

} // namespace gnomon::timers
