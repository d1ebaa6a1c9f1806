// A processor that does what the value of its command says, so that a test can
// go wrong in every way there is.

#pragma once

#include "gnomon/record_processor.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gnomon::test {

/// The noun of its records.
inline constexpr auto probe_type = user_value_type(1);

inline constexpr intent probe_run{1};
inline constexpr intent probe_ran{2};
inline constexpr intent probe_failed{3};
inline constexpr intent probe_broken{4};
inline constexpr intent nobody_knows{9};

/// Where its appliers count: key to number of events.
inline constexpr column_family probe_counts{1001};

/// Words a command may have as its value; anything else is appended as RAN:
/// - `throw`, `throw_late` (behind records, keys and effects), `throw_int`
/// - `silent`: appends nothing; `follow_only`: nothing but a follow-up
/// - `follow <value>`: RAN, then a follow-up in the same scope
/// - `flaky`: throws while `flaws > 0`, which it takes one off
/// - `bytes <n>`: RAN with so many bytes
/// - `deliver <content>`: RAN and an effect; `key`: RAN about a new key
/// - `reject`: a rejection; `reject_oddly`: one without type
/// - `unknown_event`, `unknown_command`: kinds that nobody accepts
/// - `broken`: an event whose applier throws; `bad_put`: one that writes to an
///   empty key
class probe_processor : public record_processor {
public:
  bool accepts(value_type type, intent what, record_type kind) const override;

  void process(const typed_record& command, result_builder& out) override;

  void replay(const typed_record& event, state_transaction& state) override;

  processing_error on_processing_error(const error& what,
                                       const typed_record& command,
                                       result_builder& out) override;

  /// What it says about a failed command.
  processing_error answer = processing_error::reject;

  /// Whether it appends FAILED about a failed command.
  bool reports_failures = false;

  /// Whether it rejects a failed command in its own words.
  bool rejects_failures = false;

  /// Whether it throws about a failed command.
  bool throws_about_failures = false;

  /// How often `flaky` fails.
  int flaws = 0;

  /// Calls of `process`.
  int process_count = 0;

private:
  void misbehave(std::string_view word, const typed_record& command,
                 result_builder& out);
};

} // namespace gnomon::test
