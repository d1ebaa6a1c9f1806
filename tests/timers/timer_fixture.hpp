// What the tests of timers have in common.

#pragma once

#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/timer.pb.h"
#include "tests/timers/fake_partition.hpp"
#include "timers/timer_processor.hpp"
#include "timers/timer_state.hpp"

#include <gtest/gtest.h>

namespace gnomon::testing {

/// 2024-01-01T00:00:00Z.
inline constexpr timestamp start{1'704'067'200'000};

inline constexpr duration ms{1};
inline constexpr duration second{1'000};
inline constexpr duration minute{60'000};
inline constexpr duration hour{3'600'000};

/// A partition with timers. The jobs they make are just recorded, unless one of
/// the `others` accepts them.
class timer_partition : public fake_partition {
public:
  explicit timer_partition(timers::timer_options options = {})
    : fake_partition(std::make_unique<timers::timer_processor>(options)) {
    // nop
  }

  template <class... Others>
  explicit timer_partition(std::unique_ptr<Others>... others)
    : fake_partition(std::make_unique<timers::timer_processor>(),
                     std::move(others)...) {
    // nop
  }

  std::vector<record> create(const v1::CreateTimer& value,
                             timestamp now = start) {
    return submit(value_type::timer, v1::TIMER_INTENT_CREATE, {}, value, now);
  }

  /// Creates a timer that is accepted. @returns Its key.
  key create_due(timestamp due, timestamp now = start) {
    v1::CreateTimer value;
    value.mutable_schedule()->set_due_ms(due.value);
    value.set_target("mail");
    return create(value, now).front().key;
  }

  /// Creates a timer that is accepted. @returns Its key.
  key create_repeating(const std::string& expression,
                       v1::CatchUp catch_up = v1::CATCH_UP_EVERY,
                       timestamp now = start) {
    v1::CreateTimer value;
    value.mutable_schedule()->set_expression(expression);
    value.set_catch_up(catch_up);
    value.set_target("mail");
    return create(value, now).front().key;
  }

  std::vector<record> cancel(key about, const std::string& name = {},
                             timestamp now = start) {
    v1::CancelTimer value;
    value.set_name(name);
    return submit(value_type::timer, v1::TIMER_INTENT_CANCEL, about, value,
                  now);
  }

  std::vector<record> reschedule_due(key about, timestamp due,
                                     timestamp now = start) {
    v1::RescheduleTimer value;
    value.mutable_schedule()->set_due_ms(due.value);
    return submit(value_type::timer, v1::TIMER_INTENT_RESCHEDULE, about, value,
                  now);
  }

  std::vector<record> reschedule_repeating(key about,
                                           const std::string& expression,
                                           timestamp now = start) {
    v1::RescheduleTimer value;
    value.mutable_schedule()->set_expression(expression);
    return submit(value_type::timer, v1::TIMER_INTENT_RESCHEDULE, about, value,
                  now);
  }

  std::vector<record> trigger(key about, timestamp now) {
    return process(value_type::timer, v1::TIMER_INTENT_TRIGGER, about, {}, now);
  }

  std::optional<timestamp> next_due() const {
    const auto first = due_index::first(view());
    return first ? std::optional{first->due} : std::nullopt;
  }

  /// Each due date triggered so far, in order.
  std::vector<timestamp> triggered() const {
    std::vector<timestamp> result;
    for (const auto& each : log)
      if (is_event(each, value_type::timer, v1::TIMER_INTENT_TRIGGERED))
        result.push_back({parse<v1::TimerTriggered>(each).due_ms()});
    return result;
  }
};

/// Expects that a command was rejected for a reason of this type that has
/// `part` in it.
inline void expect_rejection(const std::vector<record>& outcome,
                             rejection_type type, std::string_view part) {
  ASSERT_EQ(outcome.size(), 1u);
  EXPECT_EQ(outcome[0].record_type, record_type::command_rejection);
  EXPECT_EQ(outcome[0].rejection_type, type);
  EXPECT_NE(outcome[0].rejection_reason.find(part), std::string::npos)
    << outcome[0].rejection_reason;
}

} // namespace gnomon::testing
