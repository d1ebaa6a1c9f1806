// When something is due, once or again and again: dates, delays, ISO 8601
// repeating intervals, cron.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gnomon {

/// How an expression is read.
struct recurrence_options {
  /// Zone of expressions that do not name one; an IANA name or an offset.
  std::string default_zone = "UTC";

  /// Reads cron with five fields (minute first) instead of six.
  bool cron_five_fields = false;
};

/// Points at what is wrong with an expression.
struct parse_error {
  /// Byte of the expression, from 0; its length if something is missing.
  std::size_t offset = 0;
  std::string found;
  std::string expected;

  friend bool operator==(const parse_error&, const parse_error&) = default;
};

/// Renders `what` as "at offset 3: expected ..., but found ...".
std::string to_string(const parse_error& what);

/// One due date of a recurrence, numbered from 1.
struct occurrence {
  std::uint64_t number = 0;
  timestamp due;

  friend bool operator==(const occurrence&, const occurrence&) = default;
};

/// The due dates of one expression. Immutable value, cheap to copy.
///
/// Due dates are computed from the anchor (occurrence n = anchor + n periods),
/// never from now, and strictly increase, but for a bounded repeat of a zero
/// or negative period. An instant that cannot be represented ends the sequence.
///
/// Threads: may be shared; all members are const.
class recurrence {
public:
  /// Parses `expression`: an RFC 3339 date (`2024-01-31T10:00:00Z`, with
  /// `[Europe/Berlin]` if wanted), an ISO 8601 duration (`PT1H`, `P1M`), a
  /// short form (`3d`, `1h30m`), a repeating interval
  /// (`R[n]/[start]/duration[/end]`), or cron (six fields, `@daily`).
  /// @param anchor  What delays count from and cron starts strictly behind.
  /// @param where   Set to the place of the fault if parsing fails.
  /// @returns `errc::invalid_argument` if it is malformed, out of range, an
  ///          unbounded repeat of a zero or negative period, or never due.
  static result<recurrence> parse(std::string_view expression,
                                  const recurrence_options& options,
                                  timestamp anchor,
                                  parse_error* where = nullptr);

  /// Returns the first occurrence, unless there is none.
  std::optional<occurrence> first() const;

  /// Returns the occurrence behind `previous`, unless that was the last.
  std::optional<occurrence> next(const occurrence& previous) const;

  /// Returns the last occurrence that is at or behind `from` in the sequence
  /// and due at `now`; nothing if `from` itself is not due yet. Costs at most
  /// a few thousand steps, however many occurrences lie between.
  std::optional<occurrence> latest(const occurrence& from, timestamp now) const;

  /// Says whether there may be more than one occurrence.
  bool repeats() const;

  /// The calculation behind one form of expression.
  class rule;

private:
  explicit recurrence(std::shared_ptr<const rule> impl);

  std::shared_ptr<const rule> rule_;
};

} // namespace gnomon
