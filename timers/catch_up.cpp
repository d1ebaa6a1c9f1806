#include "timers/catch_up.hpp"

#include "gnomon/check.hpp"

#include <limits>

namespace gnomon::timers {

namespace {

std::uint32_t one_more(std::uint32_t count) {
  return count < std::numeric_limits<std::uint32_t>::max() ? count + 1 : count;
}

bool is_late(const occurrence& what, timestamp now, duration grace) {
  return now - what.due > grace;
}

/// The occurrences from `first` up to but excluding `end`.
skipped_occurrences range(const occurrence& first, const occurrence& end) {
  GNOMON_CHECK(first.number < end.number);
  return {first.number, end.number - first.number};
}

/// Skips what lies before `newest` and triggers that.
catch_up_decision jump_to(const recurrence& rule, const occurrence& pending,
                          const occurrence& newest) {
  catch_up_decision decided;
  if (pending.number < newest.number)
    decided.skipped = range(pending, newest);
  decided.triggered = newest;
  decided.next = rule.next(newest);
  return decided;
}

catch_up_decision decide_every(const recurrence& rule,
                               const occurrence& pending,
                               const occurrence& newest, timestamp now,
                               const catch_up_options& options,
                               std::uint32_t caught_up) {
  const bool followed = pending.number < newest.number;
  catch_up_decision decided;
  if (followed && caught_up < options.catch_up_max) {
    decided.triggered = pending;
    decided.next = rule.next(pending);
    decided.caught_up = one_more(caught_up);
    return decided;
  }
  decided = jump_to(rule, pending, newest);
  if (is_late(newest, now, options.catch_up_grace))
    decided.caught_up = one_more(caught_up);
  return decided;
}

catch_up_decision decide_skip(const recurrence& rule, const occurrence& pending,
                              const occurrence& newest, timestamp now,
                              duration grace) {
  auto decided = jump_to(rule, pending, newest);
  if (is_late(newest, now, grace)) {
    decided.triggered.reset();
    decided.skipped
      = skipped_occurrences{pending.number, newest.number - pending.number + 1};
  }
  return decided;
}

} // namespace

catch_up_decision decide_catch_up(const recurrence& rule,
                                  const occurrence& pending, timestamp now,
                                  catch_up_policy policy,
                                  const catch_up_options& options,
                                  std::uint32_t caught_up) {
  GNOMON_CHECK(pending.due <= now);
  if (!rule.repeats())
    return jump_to(rule, pending, pending);
  const auto newest = rule.latest(pending, now).value_or(pending);
  GNOMON_CHECK(newest.number >= pending.number);
  switch (policy) {
  case catch_up_policy::every:
    return decide_every(rule, pending, newest, now, options, caught_up);
  case catch_up_policy::latest:
    return jump_to(rule, pending, newest);
  case catch_up_policy::skip:
    return decide_skip(rule, pending, newest, now, options.catch_up_grace);
  }
  return jump_to(rule, pending, newest);
}

} // namespace gnomon::timers
