#include "gnomon/check.hpp"
#include "timers/recurrence/date_time.hpp"
#include "timers/recurrence/period.hpp"
#include "timers/recurrence/rule.hpp"
#include "timers/recurrence/text_cursor.hpp"

#include <algorithm>
#include <limits>

namespace gnomon::timers {

namespace {

constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

/// Returns the largest k in [low, high) for which `holds(k)`. @pre It holds for
/// `low`, and from some k on it does not hold any more.
template <class Predicate>
std::int64_t last_that(std::int64_t low, std::int64_t high, Predicate holds) {
  GNOMON_CHECK(low < high);
  while (high - low > 1) {
    const auto middle = low + (high - low) / 2;
    if (holds(middle))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Instants `first_k`, `first_k + 1`, ... of a grid, `count` of them. Instant
/// `first_k` is occurrence 1.
///
/// Two instants of a forward grid can be the same where a zone has no such
/// day (Pacific/Apia, 2011-12-30): the second one is then passed over.
class interval_rule final : public recurrence::rule {
public:
  interval_rule(const grid& dates, std::int64_t first_k, std::int64_t count)
    : dates_(dates), first_k_(first_k), count_(count) {
    GNOMON_CHECK(count == unbounded || count >= 0);
  }

  std::optional<occurrence> first() const override {
    return at(1);
  }

  std::optional<occurrence> next(const occurrence& previous) const override {
    if (previous.number >= static_cast<std::uint64_t>(count_))
      return std::nullopt;
    const auto number = static_cast<std::int64_t>(previous.number);
    const auto follower = at(number + 1);
    if (!is_forward() || !follower || follower->due > previous.due)
      return follower;
    return at(last_due(number, previous.due) + 1);
  }

  occurrence latest(const occurrence& from, timestamp now) const override {
    if (from.number >= static_cast<std::uint64_t>(count_))
      return from;
    const auto number = static_cast<std::int64_t>(from.number);
    if (!is_forward())
      return at(last_due(number, timestamp::max())).value_or(from);
    const auto found = at(last_due(number, now));
    if (!found || found->due <= from.due || found->due > now)
      return from;
    // Of those with the same due date, the first one stands in the sequence.
    const timestamp before{found->due.value - 1};
    const auto same = at(last_due(number, before) + 1);
    return same && same->due == found->due ? *same : *found;
  }

  bool repeats() const override {
    return count_ > 1;
  }

private:
  bool is_forward() const {
    return dates_.step().is_positive();
  }

  std::optional<occurrence> at(std::int64_t number) const {
    std::int64_t k = 0;
    if (number < 1 || number > count_
        || __builtin_add_overflow(number - 1, first_k_, &k))
      return std::nullopt;
    const auto due = dates_.at(k);
    if (!due)
      return std::nullopt;
    return occurrence{static_cast<std::uint64_t>(number), *due};
  }

  /// Returns the last number at or behind `number` that is due at `now`.
  std::int64_t last_due(std::int64_t number, timestamp now) const {
    const auto end = count_ == unbounded ? unbounded : count_ + 1;
    return last_that(number, end, [this, now](std::int64_t candidate) {
      const auto found = at(candidate);
      return found && found->due <= now;
    });
  }

  grid dates_;
  std::int64_t first_k_;
  std::int64_t count_;
};

/// The parts between the slashes.
struct interval_parts {
  text_cursor first;
  text_cursor second;
  /// `unbounded`, or the number behind R.
  std::int64_t repeats = 0;
};

std::optional<std::int64_t> take_repeats(text_cursor& in) {
  constexpr auto repeats_max = std::numeric_limits<std::int32_t>::max();
  constexpr auto expected = "a count from 0 to 2147483647, or nothing";
  const auto begin = in.offset();
  if (in.peek() == '/')
    return unbounded;
  const bool negative = in.peek() == '-';
  if (in.peek() == '-' || in.peek() == '+')
    in.skip();
  const auto number = in.take_number(expected);
  if (!number)
    return std::nullopt;
  if (*number > repeats_max || (negative && *number > 1))
    return in.fail_since(begin, expected);
  return negative && *number == 1 ? unbounded : *number;
}

/// Returns where the next slash outside of brackets is, or npos.
std::size_t find_slash(std::string_view text, std::size_t from = 0) {
  bool in_zone = false;
  for (; from < text.size(); ++from) {
    if (text[from] == '[' || text[from] == ']')
      in_zone = text[from] == '[';
    else if (text[from] == '/' && !in_zone)
      return from;
  }
  return std::string_view::npos;
}

std::optional<interval_parts> split(text_cursor& in) {
  constexpr auto npos = std::string_view::npos;
  in.skip();
  const auto repeats = take_repeats(in);
  if (!repeats)
    return std::nullopt;
  if (!in.take('/'))
    return in.fail("/");
  // An empty start is no start.
  in.take('/');
  const auto begin = in.offset();
  const auto slash = find_slash(in.rest());
  if (slash == npos)
    return interval_parts{in.part(begin, begin), in.part(begin, in.end()),
                          *repeats};
  if (slash == 0)
    return in.fail("a duration, or a start and a duration");
  const auto more = find_slash(in.rest(), slash + 1);
  if (more != npos) {
    in.skip(more);
    return in.fail("the end, since a start and an end exclude each other");
  }
  return interval_parts{in.part(begin, begin + slash),
                        in.part(begin + slash + 1, in.end()), *repeats};
}

rule_pointer failed(text_cursor& in, const text_cursor& part) {
  in.fail_like(part);
  return nullptr;
}

/// Returns a rule whose first occurrence exists, or else the fault.
rule_pointer make_rule(text_cursor& in, const text_cursor& whole,
                       const grid& dates, std::int64_t first_k,
                       std::int64_t count) {
  if (!dates.at(first_k)) {
    in.skip(in.rest().size());
    in.fail_since(whole.offset(), "due dates within 2^63 milliseconds of 1970");
    return nullptr;
  }
  return std::make_shared<interval_rule>(dates, first_k, count);
}

/// Refuses periods that would keep the timer busy for ever, or whose parts
/// disagree about the direction.
bool check_step(text_cursor& in, const text_cursor& part, const period& step,
                bool must_be_positive) {
  auto whole = part;
  whole.skip(whole.rest().size());
  if (must_be_positive && !step.is_positive()) {
    whole.fail_since(part.offset(), "a positive duration");
    in.fail_like(whole);
    return false;
  }
  if (!step.is_positive() && !step.is_negative() && !step.is_zero()) {
    whole.fail_since(part.offset(), "a duration whose parts have one sign");
    in.fail_like(whole);
    return false;
  }
  return true;
}

/// R0 means "not repeated": it is due once, as R1 is.
std::int64_t occurrences(std::int64_t repeats) {
  return std::max<std::int64_t>(repeats, 1);
}

/// With an end, or with start and end, the repeats come on top of the first.
std::int64_t one_more(std::int64_t repeats) {
  return repeats == unbounded ? unbounded : repeats + 1;
}

/// `[start]/duration`: from the start on, or one duration behind the anchor.
rule_pointer from_start(text_cursor& in, interval_parts parts,
                        const rule_context& context) {
  moment start{context.anchor, context.default_zone};
  const bool has_start = !parts.first.at_end();
  if (has_start) {
    const auto read = parse_date_time(parts.first);
    if (!read)
      return failed(in, parts.first);
    start = *read;
  }
  const auto written = parts.second;
  const auto step = parse_duration(parts.second);
  if (!step)
    return failed(in, parts.second);
  if (!check_step(in, written, *step, parts.repeats == unbounded))
    return nullptr;
  return make_rule(in, written, grid{start.when, start.where, *step},
                   has_start ? 0 : 1, occurrences(parts.repeats));
}

/// `duration/end`: the grid hangs on the end; what lies before the anchor is
/// left out, and the count is taken back from the end.
rule_pointer until_end(text_cursor& in, interval_parts parts,
                       const rule_context& context) {
  const auto written = parts.first;
  const auto step = parse_duration(parts.first);
  if (!step)
    return failed(in, parts.first);
  const auto end = parse_date_time(parts.second);
  if (!end)
    return failed(in, parts.second);
  if (!check_step(in, written, *step, true))
    return nullptr;
  const grid dates{end->when, end->where, *step};
  if (end->when < context.anchor)
    return std::make_shared<interval_rule>(dates, 0, 0);
  const auto limit = one_more(parts.repeats);
  const auto back = last_that(0, limit, [&](std::int64_t k) {
    const auto due = dates.at(-k);
    return due && *due >= context.anchor;
  });
  return make_rule(in, written, dates, -back, back + 1);
}

/// `start/end`: the period is what lies between; what lies before the anchor
/// is left out.
rule_pointer from_pair(text_cursor& in, interval_parts parts,
                       const rule_context& context) {
  const auto written = parts.second;
  const auto start = parse_date_time(parts.first);
  if (!start)
    return failed(in, parts.first);
  const auto end = parse_date_time(parts.second);
  if (!end)
    return failed(in, parts.second);
  const period step{.ms = (end->when - start->when).count()};
  if (!check_step(in, written, step, true))
    return nullptr;
  const grid dates{start->when, start->where, step};
  const auto limit = one_more(parts.repeats);
  if (start->when >= context.anchor)
    return std::make_shared<interval_rule>(dates, 0, limit);
  const auto passed = 1 + last_that(0, limit, [&](std::int64_t k) {
                        const auto due = dates.at(k);
                        return due && *due < context.anchor;
                      });
  const auto left = limit == unbounded ? unbounded : limit - passed;
  return std::make_shared<interval_rule>(dates, passed, left);
}

bool is_duration(const text_cursor& part) {
  const bool sign = part.peek() == '-' || part.peek() == '+';
  return upper(part.peek(sign ? 1 : 0)) == 'P';
}

} // namespace

rule_pointer parse_interval_rule(text_cursor& in, const rule_context& context) {
  const auto parts = split(in);
  if (!parts)
    return nullptr;
  if (is_duration(parts->first))
    return until_end(in, *parts, context);
  if (!parts->first.at_end() && looks_like_date(parts->second))
    return from_pair(in, *parts, context);
  return from_start(in, *parts, context);
}

} // namespace gnomon::timers
