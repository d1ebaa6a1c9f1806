// Inside of `timer_processor`: one function for each command, and the appliers.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result_builder.hpp"
#include "gnomon/state.hpp"
#include "timers/recurrence_cache.hpp"
#include "timers/timer_options.hpp"
#include "timers/timer_state.hpp"

#include <optional>
#include <string_view>

namespace gnomon::timers {

/// What deciding needs beside the state; borrowed.
struct timer_context {
  const timer_options& options;
  recurrence_cache& recurrences;
};

void create_timer(const typed_record& command, const timer_context& context,
                  result_builder& out);

void cancel_timer(const typed_record& command, const timer_context& context,
                  result_builder& out);

void reschedule_timer(const typed_record& command, const timer_context& context,
                      result_builder& out);

void trigger_timer(const typed_record& proposal, const timer_context& context,
                   result_builder& out);

/// Applies an event of value type TIMER.
void apply_timer_event(const typed_record& event, state_transaction& state);

/// A waiting timer and its key. Borrows from the state until the next write.
struct found_timer {
  gnomon::key key;
  waiting_timer timer;
};

/// Finds the timer that a command names by key or else by `name`; rejects the
/// command if there is none.
std::optional<found_timer> require_timer(const typed_record& command,
                                         std::string_view name,
                                         result_builder& out);

} // namespace gnomon::timers
