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

/// A bug or a broken invariant: undo everything of the command and reject it
/// with the reason.
struct abortable {
  /// Longest part of a reason that is kept.
  static constexpr std::size_t reason_bytes_max = 1'024;

  static rejection_type type(const error& what) {
    return what.code == errc::exceeded_batch_size
             ? rejection_type::exceeded_batch_size
             : rejection_type::processing_failed;
  }

  static std::string reason(const error& what) {
    return to_string(what).substr(0, reason_bytes_max);
  }
};

} // namespace gnomon::engine
