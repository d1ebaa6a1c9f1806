#include "messages/record_exchange.hpp"

#include <limits>
#include <utility>

namespace gnomon::messages {

namespace {

// The enums of the schema and of the library must name the same numbers.
static_assert(static_cast<int>(v1::RECORD_TYPE_COMMAND_REJECTION)
              == static_cast<int>(record_type::command_rejection));
static_assert(static_cast<int>(v1::REJECTION_TYPE_PROCESSING_FAILED)
              == static_cast<int>(rejection_type::processing_failed));

template <class Narrow>
bool fits(std::uint32_t number) {
  return number >= 1 && number <= std::numeric_limits<Narrow>::max();
}

gnomon::error fault(const v1::Record& source, errc code, const char* what) {
  return {code,
          "convert record " + std::to_string(source.position()) + ": " + what};
}

result<void> check(const v1::Record& source) {
  if (!v1::RecordType_IsValid(source.record_type())
      || !v1::RejectionType_IsValid(source.rejection_type()))
    return fault(source, errc::format_too_new,
                 "unknown record type or rejection type");
  if (source.record_type() == v1::RECORD_TYPE_UNSPECIFIED)
    return fault(source, errc::invalid_argument, "no record type");
  if (!fits<std::uint16_t>(source.value_type()))
    return fault(source, errc::invalid_argument,
                 "expected a value type from 1 to 65535");
  if (!fits<std::uint16_t>(source.intent()))
    return fault(source, errc::invalid_argument,
                 "expected an intent from 1 to 65535");
  if (source.value_version() > std::numeric_limits<std::uint8_t>::max())
    return fault(source, errc::invalid_argument,
                 "expected a value version up to 255");
  return {};
}

void header_to_exchange(const record_header& source, v1::Record& to) {
  to.set_position(source.position.value);
  to.set_source_position(source.source_position.value);
  to.set_key(source.key.value);
  to.set_scope_key(source.scope_key.value);
  to.set_timestamp_ms(source.timestamp.value);
  to.set_record_type(static_cast<v1::RecordType>(source.record_type));
  to.set_value_type(static_cast<std::uint32_t>(source.value_type));
  to.set_intent(source.intent.value);
  to.set_rejection_type(static_cast<v1::RejectionType>(source.rejection_type));
  to.set_value_version(source.value_version);
}

} // namespace

void to_exchange(record source, v1::Record& to) {
  header_to_exchange(source, to);
  if (!source.rejection_reason.empty())
    to.set_rejection_reason(std::move(source.rejection_reason));
  if (!source.idempotency_key.empty())
    to.set_idempotency_key(std::move(source.idempotency_key));
  if (!source.value.empty())
    to.set_value(std::move(source.value));
}

void to_exchange(const typed_record& source, v1::Record& to) {
  header_to_exchange(source, to);
  // Of borrowed bytes, the address may be null if there are none.
  to.mutable_rejection_reason()->assign(source.rejection_reason);
  to.mutable_idempotency_key()->assign(source.idempotency_key);
  to.mutable_value()->assign(source.value);
}

result<record> from_exchange(const v1::Record& source) {
  if (auto checked = check(source); !checked)
    return checked.error();
  record to;
  to.position.value = source.position();
  to.source_position.value = source.source_position();
  to.key.value = source.key();
  to.scope_key.value = source.scope_key();
  to.timestamp.value = source.timestamp_ms();
  to.record_type = static_cast<record_type>(source.record_type());
  to.value_type = static_cast<value_type>(source.value_type());
  to.intent.value = static_cast<std::uint16_t>(source.intent());
  to.rejection_type = static_cast<rejection_type>(source.rejection_type());
  to.rejection_reason = source.rejection_reason();
  to.idempotency_key = source.idempotency_key();
  to.value = source.value();
  // A sender that leaves the version out means the first one.
  to.value_version = source.value_version() == 0
                       ? std::uint8_t{1}
                       : static_cast<std::uint8_t>(source.value_version());
  return to;
}

} // namespace gnomon::messages
