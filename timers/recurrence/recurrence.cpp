#include "gnomon/recurrence.hpp"

#include "gnomon/check.hpp"
#include "timers/recurrence/date_time.hpp"
#include "timers/recurrence/rule.hpp"
#include "timers/recurrence/text_cursor.hpp"

#include <utility>

namespace gnomon {

namespace {

using timers::rule_context;
using timers::rule_pointer;
using timers::text_cursor;

bool has_blank(std::string_view text) {
  return text.find_first_of(" \t") != std::string_view::npos;
}

/// Says whether what is next begins a duration.
bool looks_like_duration(const text_cursor& in) {
  const bool sign = in.peek() == '-' || in.peek() == '+';
  return timers::upper(in.peek(sign ? 1 : 0)) == 'P';
}

rule_pointer parse_rule(text_cursor& in, const rule_context& context) {
  if (in.peek() == 'R')
    return timers::parse_interval_rule(in, context);
  if (looks_like_duration(in))
    return timers::parse_delay_rule(in, context);
  if (timers::looks_like_date(in))
    return timers::parse_date_rule(in);
  if (in.peek() == '@' || has_blank(in.rest()))
    return timers::parse_cron_rule(in, context);
  if (timers::is_digit(in.peek()))
    return timers::parse_delay_rule(in, context);
  in.fail("a date, a duration, a repeating interval or cron");
  return nullptr;
}

gnomon::error failure(std::string_view what, const parse_error& fault,
                      parse_error* where) {
  if (where != nullptr)
    *where = fault;
  return {errc::invalid_argument,
          "parse " + timers::quoted(what) + ": " + to_string(fault)};
}

} // namespace

std::string to_string(const parse_error& what) {
  return "at offset " + std::to_string(what.offset) + ": expected "
         + what.expected + ", but found " + what.found;
}

result<recurrence> recurrence::parse(std::string_view expression,
                                     const recurrence_options& options,
                                     timestamp anchor, parse_error* where) {
  const auto zone = timers::zone::find(options.default_zone);
  if (!zone) {
    const auto name = timers::quoted(options.default_zone);
    return failure(options.default_zone,
                   {0, name, "the name of a zone or an offset"}, where);
  }
  text_cursor in{expression};
  const rule_context context{*zone, options.cron_five_fields, anchor};
  auto rule = parse_rule(in, context);
  if (rule)
    return recurrence{std::move(rule)};
  GNOMON_CHECK(in.error().has_value());
  return failure(expression, *in.error(), where);
}

recurrence::recurrence(std::shared_ptr<const class rule> impl)
  : rule_(std::move(impl)) {
  GNOMON_CHECK(rule_ != nullptr);
}

std::optional<occurrence> recurrence::first() const {
  return rule_->first();
}

std::optional<occurrence> recurrence::next(const occurrence& previous) const {
  return rule_->next(previous);
}

std::optional<occurrence> recurrence::latest(const occurrence& from,
                                             timestamp now) const {
  if (from.due > now)
    return std::nullopt;
  return rule_->latest(from, now);
}

bool recurrence::repeats() const {
  return rule_->repeats();
}

} // namespace gnomon
