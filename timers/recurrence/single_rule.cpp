#include "timers/recurrence/date_time.hpp"
#include "timers/recurrence/period.hpp"
#include "timers/recurrence/rule.hpp"
#include "timers/recurrence/text_cursor.hpp"

namespace gnomon::timers {

namespace {

/// One due date and no other.
class single_rule final : public recurrence::rule {
public:
  explicit single_rule(timestamp due) : due_(due) {
    // nop
  }

  std::optional<occurrence> first() const override {
    return occurrence{1, due_};
  }

  std::optional<occurrence> next(const occurrence&) const override {
    return std::nullopt;
  }

  occurrence latest(const occurrence& from, timestamp) const override {
    return from;
  }

  bool repeats() const override {
    return false;
  }

private:
  timestamp due_;
};

} // namespace

rule_pointer parse_date_rule(text_cursor& in) {
  const auto due = parse_date_time(in);
  if (!due)
    return nullptr;
  return std::make_shared<single_rule>(due->when);
}

rule_pointer parse_delay_rule(text_cursor& in, const rule_context& context) {
  const auto begin = in.offset();
  const auto delay
    = is_digit(in.peek()) ? parse_short_form(in) : parse_duration(in);
  if (!delay)
    return nullptr;
  const auto due = grid{context.anchor, context.default_zone, *delay}.at(1);
  if (!due) {
    in.fail_since(begin, "a due date within 2^63 milliseconds of 1970");
    return nullptr;
  }
  return std::make_shared<single_rule>(*due);
}

} // namespace gnomon::timers
