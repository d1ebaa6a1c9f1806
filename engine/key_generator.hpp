// Hands out keys: the partition in the upper 13 bits, a counter in the lower.

#pragma once

#include "gnomon/check.hpp"
#include "gnomon/key.hpp"

#include <cstdint>
#include <optional>

namespace gnomon::engine {

/// Draws keys that no record of the partition has had. The counter is state:
/// it is stored with every batch and travels in every frame. Plain value; a
/// copy is the way back when a batch is undone.
class key_generator {
public:
  /// @pre `owner.valid()`, and `1 <= next <= key::counter_max + 1`.
  explicit key_generator(partition_id owner, std::uint64_t next = 1)
    : owner_(owner), next_(next) {
    GNOMON_CHECK(owner.valid());
    GNOMON_CHECK(valid_counter(next));
  }

  /// Says whether `counter`, met on disk, may be the next one.
  static constexpr bool valid_counter(std::uint64_t counter) {
    return counter >= 1 && counter <= key::counter_max + 1;
  }

  /// Draws a key, or nothing once all 2^51 - 1 are gone.
  std::optional<key> draw() {
    if (next_ > key::counter_max)
      return std::nullopt;
    return key::make(owner_, next_++);
  }

  /// Returns the counter of the key that is drawn next.
  std::uint64_t next_counter() const {
    return next_;
  }

  partition_id owner() const {
    return owner_;
  }

private:
  partition_id owner_;
  std::uint64_t next_;
};

} // namespace gnomon::engine
