#include "engine/applier.hpp"

#include "engine/idempotency.hpp"
#include "engine/record_processor_map.hpp"

#include <exception>
#include <string>

namespace gnomon::engine {

namespace {

std::string describe(const char* doing, const typed_record& event) {
  return std::string{doing} + " event " + std::to_string(event.intent.value)
         + " of value type "
         + std::to_string(static_cast<unsigned>(event.value_type))
         + " at position " + std::to_string(event.position.value);
}

result<void> apply_event(const record_processor_map& processors,
                         state_transaction& state, const typed_record& event) {
  auto* processor = processors.find(event);
  if (!processor)
    return {errc::format_too_new,
            describe("apply", event) + ": no processor applies it"};
  try {
    processor->replay(event, state);
  } catch (const std::exception& thrown) {
    return {errc::processing_failed,
            describe("apply", event) + ": " + thrown.what()};
  } catch (...) {
    return {errc::processing_failed,
            describe("apply", event) + ": unknown exception"};
  }
  return {};
}

} // namespace

result<void> apply_outcome(const record_processor_map& processors,
                           state_transaction& state,
                           const typed_record& command,
                           const typed_record& outcome) {
  if (outcome.record_type == record_type::event)
    if (auto applied = apply_event(processors, state, outcome); !applied)
      return applied;
  if (!outcome.idempotency_key.empty())
    idempotency::store(state, command, outcome);
  return {};
}

} // namespace gnomon::engine
