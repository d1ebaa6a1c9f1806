// Dates with a time and an offset, as RFC 3339 and ISO 8601 write them.

#pragma once

#include "gnomon/timestamp.hpp"
#include "timers/recurrence/zone.hpp"

#include <optional>

namespace gnomon::timers {

class text_cursor;

/// An instant, and the zone that it was written in.
struct moment {
  timestamp when;
  zone where;
};

/// Reads `YYYY-MM-DDThh:mm[:ss[.f]]offset[[zone]]` up to the end of the part.
/// The offset says the instant, even if the zone contradicts; the zone says
/// where calendar parts are counted. Fractions below milliseconds are cut off.
std::optional<moment> parse_date_time(text_cursor& in);

/// Says whether what is next can only be a date: a signed or long number.
bool looks_like_date(const text_cursor& in);

} // namespace gnomon::timers
