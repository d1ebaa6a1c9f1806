// Records: what a log is made of, and the numbers that name their kinds.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/position.hpp"
#include "gnomon/timestamp.hpp"

#include <compare>
#include <cstdint>
#include <string>

namespace gnomon {

// Numbers below are stored and sent. Zero means "unspecified" and is invalid;
// a number is never reused.

enum class record_type : std::uint8_t {
  unspecified = 0,
  command = 1,
  event = 2,
  command_rejection = 3,
};

/// The noun of a record. Numbers from `user_value_types_begin` on belong to the
/// users.
enum class value_type : std::uint16_t {
  unspecified = 0,
  timer = 1,
  job = 2,
  incident = 3,
  process_instance = 4,
  message = 5,
  variable = 6,
  deployment = 7,
  error = 8,
  idempotency = 9,
  partition = 10,
};

inline constexpr std::uint16_t user_value_types_begin = 1000;

/// Returns the value type `index` (from 0) of the user's own range.
constexpr value_type user_value_type(std::uint16_t index) {
  return static_cast<value_type>(user_value_types_begin + index);
}

/// The verb of a record, within its value type. Commands are imperative, events
/// past tense. The named intents stand in the enums of the protobuf schema,
/// e.g., `v1::TIMER_INTENT_CREATE`.
struct intent {
  std::uint16_t value = 0;

  friend constexpr auto operator<=>(intent, intent) = default;
};

enum class rejection_type : std::uint16_t {
  unspecified = 0,
  not_found = 1,
  already_exists = 2,
  invalid_argument = 3,
  invalid_state = 4,
  exceeded_batch_size = 5,
  processing_failed = 6,
};

/// Everything of a record but its value. Plain value.
struct record_header {
  gnomon::position position;

  /// Position of the command it follows from; none for a client's command.
  gnomon::position source_position;

  /// The thing it is about.
  gnomon::key key;

  /// The instance it belongs to; what banning and cancelling go by.
  gnomon::key scope_key;

  /// Partition time when it was stamped.
  gnomon::timestamp timestamp;

  gnomon::record_type record_type = gnomon::record_type::unspecified;
  gnomon::value_type value_type = gnomon::value_type::unspecified;
  gnomon::intent intent;
  gnomon::rejection_type rejection_type = gnomon::rejection_type::unspecified;

  /// Reserved for a tenant; always 0.
  std::uint32_t tenant = 0;

  /// Version of the layout of the value.
  std::uint8_t value_version = 1;

  friend bool operator==(const record_header&, const record_header&) = default;
};

/// A record that owns its bytes.
struct record : record_header {
  /// Why a command was rejected; empty unless a rejection.
  std::string rejection_reason;

  /// Chosen by the client; on a command and on its first outcome. May be empty.
  std::string idempotency_key;

  /// Serialised protobuf message of the value type.
  bytes value;

  friend bool operator==(const record&, const record&) = default;
};

/// A record that borrows its bytes; what processors see.
///
/// Lives as long as the call it is handed to.
struct typed_record : record_header {
  std::string_view rejection_reason;
  std::string_view idempotency_key;
  bytes_view value;

  typed_record() = default;

  /// Borrows from `source`.
  explicit typed_record(const record& source)
    : record_header(source), rejection_reason(source.rejection_reason),
      idempotency_key(source.idempotency_key), value(source.value) {
    // nop
  }

  /// Parses the value. @returns False if the bytes are not a `Message`.
  template <class Message>
  [[nodiscard]] bool parse(Message& into) const {
    return into.ParseFromArray(value.data(), static_cast<int>(value.size()));
  }
};

} // namespace gnomon
