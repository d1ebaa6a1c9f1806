#include "timers/timer_queries.hpp"

#include "gnomon/v1/timer.pb.h"
#include "timers/schedule.hpp"
#include "timers/timer_state.hpp"

namespace gnomon::timers {

namespace {

/// Returns nothing if the bytes in the state are malformed.
std::optional<timer_view> to_view(key about, const waiting_timer& timer) {
  v1::TimerCreated created;
  v1::TimerRescheduled rescheduled;
  if (!created.ParseFromArray(timer.created.data(),
                              static_cast<int>(timer.created.size()))
      || !rescheduled.ParseFromArray(
        timer.rescheduled.data(), static_cast<int>(timer.rescheduled.size())))
    return std::nullopt;
  auto source = timer.rescheduled.empty() ? read_source(created)
                                          : read_source(rescheduled);
  timer_view result;
  result.key = about;
  result.due = timer.pending.due;
  result.occurrence = timer.pending.number;
  result.target = created.target();
  result.name = created.name();
  result.expression = std::move(source.expression);
  result.zone = std::move(source.zone);
  result.catch_up = static_cast<std::uint32_t>(created.catch_up());
  result.payload_bytes = created.payload().size();
  result.caught_up = timer.caught_up;
  return result;
}

bool matches(const timer_view& timer, const timer_filter& filter) {
  return filter.target.empty() || timer.target == filter.target;
}

} // namespace

timer_page list_timers(const state_reader& state, key after,
                       const timer_filter& filter, const query_limits& limits) {
  timer_page page;
  const auto see = [&](key about, bytes_view body) {
    const auto timer = decode_timer(body);
    if (!timer || (filter.due_by && timer->pending.due > *filter.due_by))
      return false;
    auto view = to_view(about, *timer);
    if (!view || !matches(*view, filter))
      return false;
    page.timers.push_back(std::move(*view));
    return true;
  };
  page.next_after = visit_page(state, timer_family, after, limits, see);
  return page;
}

std::optional<timer_view> describe_timer(const state_reader& state, key about) {
  const auto timer = find_timer(state, about);
  return timer ? to_view(about, *timer) : std::nullopt;
}

std::optional<timer_view> describe_timer(const state_reader& state,
                                         std::string_view name) {
  const auto about = find_timer_key(state, name);
  return about ? describe_timer(state, *about) : std::nullopt;
}

v1::TimerView to_message(const timer_view& timer) {
  v1::TimerView result;
  result.set_key(timer.key.value);
  result.set_due_ms(timer.due.value);
  result.set_occurrence(timer.occurrence);
  result.set_target(timer.target);
  result.set_name(timer.name);
  result.set_expression(timer.expression);
  result.set_zone(timer.zone);
  result.set_catch_up(timer.catch_up);
  result.set_payload_bytes(timer.payload_bytes);
  result.set_caught_up(timer.caught_up);
  return result;
}

v1::TimerPage to_message(const timer_page& page) {
  v1::TimerPage result;
  for (const auto& timer : page.timers)
    *result.add_timers() = to_message(timer);
  if (page.next_after)
    result.set_next_after_key(page.next_after->value);
  return result;
}

} // namespace gnomon::timers
