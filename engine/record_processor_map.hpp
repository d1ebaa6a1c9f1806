// Which processor is responsible for which kind of record.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/record_processor.hpp"
#include "gnomon/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gnomon::engine {

/// Built once at start from what the processors accept; a look-up is two array
/// accesses. The engine's own processor (expiry of idempotency keys, bans,
/// PARTITION OPENED) is always among them.
///
/// Covers intents 1 to 63 of the library's value types and of the users' types
/// 1000 to 1999.
class record_processor_map {
public:
  /// Asks every processor about every kind, which takes about a millisecond for
  /// each that may have types of the users.
  /// @param processors     Borrowed; must outlive the map.
  /// @param library_count  So many of them, the first ones, are the library's
  ///                       own: they are asked about its value types only.
  /// @returns `errc::invalid_argument` if two processors accept one kind, or
  ///          one decides commands although nobody applies any event of the
  ///          value types it decides.
  static result<record_processor_map>
  make(std::span<record_processor* const> processors,
       std::size_t library_count = 0);

  record_processor_map(record_processor_map&&) noexcept;
  record_processor_map& operator=(record_processor_map&&) noexcept;
  ~record_processor_map();

  /// Returns who is responsible, or null. Rejections have nobody.
  record_processor* find(value_type type, intent what,
                         record_type kind) const noexcept {
    const auto number = static_cast<std::uint16_t>(type);
    if (number >= rows_.size() || what.value >= intents_end)
      return nullptr;
    const auto& row = table_[rows_[number]];
    if (kind == record_type::command)
      return row.commands[what.value];
    return kind == record_type::event ? row.events[what.value] : nullptr;
  }

  /// Returns who is responsible for records like `about`, or null.
  record_processor* find(const record_header& about) const noexcept {
    return find(about.value_type, about.intent, about.record_type);
  }

  /// First intent beyond those that can be accepted.
  static constexpr std::uint16_t intents_end = 64;

  /// First value type beyond those that can be accepted.
  static constexpr std::uint16_t value_types_end = 2'000;

private:
  struct row {
    std::array<record_processor*, intents_end> commands = {};
    std::array<record_processor*, intents_end> events = {};
  };

  record_processor_map();

  result<void> add(record_processor& added, std::uint16_t types_end);

  result<void> add(record_processor& added, value_type type);

  result<void> check_events(const record_processor& decides) const;

  row& row_of(value_type type);

  // Row by value type; row 0 is empty and stands for all types without one.
  std::vector<std::uint16_t> rows_;
  std::vector<row> table_;
  std::unique_ptr<record_processor> own_;
};

} // namespace gnomon::engine
