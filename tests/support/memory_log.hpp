// A log in memory that keeps its frames, with faults on demand.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/error.hpp"
#include "gnomon/record.hpp"
#include "storage/ports/frame_log.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace gnomon::test {

/// Keeps every frame that was written. All it has is durable.
class memory_log : public storage::frame_log {
public:
  /// A frame that owns its bytes.
  struct frame {
    position first;
    std::uint32_t record_count = 0;
    std::uint64_t next_key = 1;
    bytes records;
    storage::chain_value chain;

    position last() const {
      return {first.value + record_count - 1};
    }

    /// Borrows from this frame.
    storage::frame_body body() const {
      return {first, record_count, next_key, records};
    }
  };

  position last_position() const override;

  result<storage::chain_value> seal(const storage::frame_body& body) override;

  /// Fails with the first of `write_faults` while there are any.
  result<void> write() override;

  const std::vector<frame>& frames() const {
    return frames_;
  }

  /// Returns all records, decoded.
  std::vector<record> records() const;

  /// Forgets all frames but the first `count`.
  void truncate(std::size_t count);

  std::deque<error> write_faults;

private:
  std::vector<frame> frames_;
  std::optional<frame> sealed_;
};

} // namespace gnomon::test
