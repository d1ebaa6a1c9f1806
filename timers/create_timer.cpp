#include "gnomon/v1/timer.pb.h"
#include "timers/schedule.hpp"
#include "timers/timer_commands.hpp"
#include "timers/timer_state.hpp"

namespace gnomon::timers {

namespace {

std::string too_long(std::string_view what, std::size_t limit,
                     std::size_t length) {
  return "expected a " + std::string{what} + " of at most "
         + std::to_string(limit) + " bytes, but it has "
         + std::to_string(length);
}

bool has_zero_byte(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

/// Returns what is wrong with `wanted`, apart from its schedule.
std::optional<std::string> fault_of(const v1::CreateTimer& wanted,
                                    const timer_options& options) {
  if (wanted.target().size() > options.target_bytes_max)
    return too_long("target", options.target_bytes_max, wanted.target().size());
  if (wanted.name().size() > options.name_bytes_max)
    return too_long("name", options.name_bytes_max, wanted.name().size());
  if (wanted.payload().size() > options.payload_bytes_max)
    return too_long("payload", options.payload_bytes_max,
                    wanted.payload().size());
  if (has_zero_byte(wanted.target()) || has_zero_byte(wanted.name()))
    return "expected a target and a name without zero bytes, but there is one";
  if (!v1::CatchUp_IsValid(wanted.catch_up()))
    return "expected a known catch-up policy, but found number "
           + std::to_string(wanted.catch_up());
  return std::nullopt;
}

/// Returns the value of the event, which lives until the next call.
const bytes& make_created(const v1::CreateTimer& wanted,
                          const planned_schedule& planned,
                          const timer_options& options) {
  // Used again: its strings keep their memory.
  static thread_local v1::TimerCreated created;
  static thread_local bytes result;
  created.Clear();
  write_schedule(planned, created);
  created.set_target(wanted.target());
  created.set_payload(wanted.payload());
  created.set_catch_up(wanted.catch_up());
  if (!created.target().empty())
    created.set_retries(wanted.retries() != 0 ? wanted.retries()
                                              : options.retries_default);
  created.set_name(wanted.name());
  created.SerializeToString(&result);
  return result;
}

} // namespace

void create_timer(const typed_record& command, const timer_context& context,
                  result_builder& out) {
  static thread_local v1::CreateTimer wanted;
  if (!command.parse(wanted))
    return out.reject(rejection_type::invalid_argument,
                      "expected a CreateTimer, but the value is none");
  if (auto fault = fault_of(wanted, context.options))
    return out.reject(rejection_type::invalid_argument, std::move(*fault));
  const auto planned = plan(wanted.schedule(), command.timestamp,
                            context.options, context.recurrences);
  if (!planned)
    return out.reject(rejection_type::invalid_argument,
                      planned.error().context);
  if (!wanted.name().empty()) {
    if (const auto holder = find_timer_key(out.state(), wanted.name()))
      return out.reject(rejection_type::already_exists,
                        "expected the name \"" + wanted.name()
                          + "\" to be free, but the waiting timer with key "
                          + std::to_string(holder->value) + " has it");
  }
  out.append_event(
    out.next_key(), value_type::timer, {v1::TIMER_INTENT_CREATED},
    make_created(wanted, *planned, context.options), command.scope_key);
}

} // namespace gnomon::timers
