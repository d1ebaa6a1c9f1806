// What becomes visible outside, described as values and done once durable.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/position.hpp"
#include "gnomon/record.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace gnomon::engine {

/// Answers a command: the first record of its outcome.
struct reply {
  /// Number that the partition gave to the request.
  std::uint64_t request = 0;

  record answer;
};

/// Hands `content` to the sink that the partition has for `channel`.
struct delivery {
  std::string channel;
  gnomon::key key;
  bytes content;
};

using effect = std::variant<reply, delivery>;

/// An effect and the position that must be durable before it is released.
struct queued_effect {
  position after;
  effect what;
};

} // namespace gnomon::engine
