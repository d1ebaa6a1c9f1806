// The calculation behind the forms of expressions, and their parsers.

#pragma once

#include "gnomon/recurrence.hpp"
#include "timers/recurrence/zone.hpp"

#include <memory>
#include <optional>

namespace gnomon {

/// Port. The due dates of one expression; immutable.
class recurrence::rule {
public:
  virtual ~rule() = default;

  virtual std::optional<occurrence> first() const = 0;

  virtual std::optional<occurrence> next(const occurrence& previous) const = 0;

  /// @pre `from.due <= now`. @returns `from` or what lies behind it.
  virtual occurrence latest(const occurrence& from, timestamp now) const = 0;

  virtual bool repeats() const = 0;
};

} // namespace gnomon

namespace gnomon::timers {

class text_cursor;

/// A parsed rule; null if the cursor holds the fault.
using rule_pointer = std::shared_ptr<const recurrence::rule>;

/// What the meaning of an expression depends on, other than its text.
struct rule_context {
  zone default_zone;
  bool cron_five_fields = false;
  timestamp anchor;
};

/// One due date, written as a date.
rule_pointer parse_date_rule(text_cursor& in);

/// One due date, as a duration or short form behind the anchor.
rule_pointer parse_delay_rule(text_cursor& in, const rule_context& context);

/// `R[n]/[start]/duration`, `R[n]/duration/end` or `R[n]/start/end`.
rule_pointer parse_interval_rule(text_cursor& in, const rule_context& context);

/// Cron, with fields or as a macro.
rule_pointer parse_cron_rule(text_cursor& in, const rule_context& context);

} // namespace gnomon::timers
