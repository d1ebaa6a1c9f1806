// The records of one frame while they are made.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/position.hpp"
#include "gnomon/record.hpp"
#include "storage/ports/frame_log.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gnomon::engine {

/// What a record is, without what it says. Plain value.
struct record_kind {
  gnomon::value_type value_type = gnomon::value_type::unspecified;
  gnomon::intent intent;
  gnomon::record_type record_type = gnomon::record_type::unspecified;

  friend auto operator<=>(const record_kind&, const record_kind&) = default;
};

/// Encodes records one behind the other into one buffer, which is used again
/// for the next batch.
class record_batch {
public:
  explicit record_batch(std::size_t bytes_max) : bytes_max_(bytes_max) {
    // nop
  }

  /// Empties the batch; its first record will have position `first`.
  void begin(position first);

  /// Gives `added` the next position and appends it. Afterwards its value
  /// borrows from the batch, until the next record is appended.
  /// @returns False if the batch would outgrow its limit; nothing was done.
  bool append(typed_record& added);

  /// Leaves a gap of one position, to be filled by `fill_gap`.
  void leave_gap();

  /// Puts `added` into the gap.
  /// @returns False if the batch would outgrow its limit; nothing was done.
  /// @pre There is a gap.
  bool fill_gap(typed_record& added);

  /// Returns the position of the next record.
  position next() const {
    return {first_.value + count_};
  }

  /// Returns the position of the last record, or none.
  position last() const {
    return count_ == 0 ? position{} : position{first_.value + count_ - 1};
  }

  bool empty() const {
    return count_ == 0;
  }

  std::size_t size_bytes() const {
    return records_.size();
  }

  /// Returns the kinds of all records, the one of a gap that was filled last;
  /// until the next `begin`.
  std::span<const record_kind> kinds() const {
    return kinds_;
  }

  /// Returns what goes into the frame; borrows from the batch.
  storage::frame_body body(std::uint64_t next_key) const {
    return {first_, count_, next_key, records_};
  }

private:
  struct gap {
    gnomon::position position;
    std::size_t offset;
  };

  std::size_t bytes_max_;
  position first_;
  std::uint32_t count_ = 0;
  bytes records_;
  std::vector<record_kind> kinds_;
  std::optional<gap> gap_;
};

} // namespace gnomon::engine
