// What to do about a command whose processing failed.

#pragma once

#include "gnomon/error.hpp"
#include "gnomon/record.hpp"
#include "gnomon/timestamp.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace gnomon::engine {

/// The failure is expected to pass: undo, wait, try again, a bounded number of
/// times; then escalate. Plain value.
class recoverable {
public:
  /// @pre `attempts_max >= 1`.
  recoverable(std::uint32_t attempts_max, duration wait_min, duration wait_max)
    : attempts_max_(attempts_max), wait_min_(wait_min), wait_max_(wait_max) {
    // nop
  }

  /// Counts a failed attempt. @returns How long to wait before the next one,
  /// or nothing if that was the last.
  std::optional<duration> failed() {
    if (++attempts_ >= attempts_max_)
      return std::nullopt;
    const auto doublings = std::min(attempts_ - 1, std::uint32_t{30});
    return std::min(wait_max_, wait_min_ * (std::int64_t{1} << doublings));
  }

  /// Forgets the attempts, since the command has an outcome.
  void reset() {
    attempts_ = 0;
  }

private:
  std::uint32_t attempts_max_;
  duration wait_min_;
  duration wait_max_;
  std::uint32_t attempts_ = 0;
};

/// Longest reason of a rejection that is kept, in bytes.
inline constexpr std::size_t reason_bytes_max = 1'024;

/// Cuts `reason` to `reason_bytes_max`, never inside a character.
inline std::string shortened(std::string reason) {
  if (reason.size() <= reason_bytes_max)
    return reason;
  auto end = reason_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0) == 0x80)
    --end;
  reason.resize(end);
  return reason;
}

/// A bug or a broken invariant: undo everything of the command and reject it
/// with the reason.
struct abortable {
  static rejection_type type(const error& what) {
    return what.code == errc::exceeded_batch_size
             ? rejection_type::exceeded_batch_size
             : rejection_type::processing_failed;
  }

  static std::string reason(const error& what) {
    return shortened(to_string(what));
  }
};

/// What a failure calls for.
enum class remedy {
  /// It lies in the command: its processor decides.
  ask_processor,
  /// It is expected to pass.
  wait,
  /// Log or state failed: stop.
  poison,
};

/// Returns what a failure with `code` of the state or of a processor calls for.
constexpr remedy remedy_for(errc code) {
  switch (code) {
  case errc::resource_exhausted:
  case errc::unavailable:
  case errc::timed_out:
  case errc::out_of_space:
  case errc::in_use:
    return remedy::wait;
  case errc::io_error:
  case errc::corrupted:
  case errc::lost_data:
  case errc::missing_segment:
  case errc::two_writers:
  case errc::format_too_new:
  case errc::wrong_identity:
  case errc::not_recoverable:
    return remedy::poison;
  default:
    return remedy::ask_processor;
  }
}

} // namespace gnomon::engine
