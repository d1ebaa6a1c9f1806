#include "timers/timing_wheel_slots.hpp"

namespace gnomon::detail {

void wheel_slots::drop_chunk(std::uint32_t index) {
  auto& chunk = chunks_[index];
  auto& home = slots_[chunk.slot];
  if (chunk.previous == no_index)
    home.head = chunk.next;
  else
    chunks_[chunk.previous].next = chunk.next;
  if (chunk.next == no_index)
    home.tail = chunk.previous;
  else
    chunks_[chunk.next].previous = chunk.previous;
  if (home.head == no_index) {
    home.earliest = no_tick;
    mark(chunk.slot, false);
  }
  chunk.next = free_chunk_;
  free_chunk_ = index;
}

void wheel_slots::reserve(std::size_t count) {
  // Each slot may have one chunk that is not full.
  nodes_.reserve(count);
  const auto chunk_count = count / wheel_chunk::places + 1 + slot_count;
  chunks_.reserve(chunk_count);
  gone_.reserve(chunk_count);
}

std::uint32_t wheel_slots::add_chunk(std::uint32_t where) {
  const auto result = acquire_chunk();
  auto& chunk = chunks_[result];
  auto& home = slots_[where];
  chunk.previous = home.tail;
  chunk.next = no_index;
  chunk.slot = static_cast<std::uint16_t>(where);
  chunk.used = 0;
  gone_[result] = 0;
  if (home.tail == no_index) {
    home.head = result;
    mark(where, true);
  } else {
    chunks_[home.tail].next = result;
  }
  home.tail = result;
  return result;
}

std::uint32_t wheel_slots::acquire_chunk() {
  if (free_chunk_ == no_index) {
    gone_.add();
    return chunks_.add();
  }
  const auto result = free_chunk_;
  free_chunk_ = chunks_[result].next;
  return result;
}

void wheel_slots::mark(std::uint32_t where, bool occupied) {
  if (where == overdue)
    return;
  const auto level = where / per_level;
  auto& words = occupied_[level];
  auto& word = words[where % per_level / 64];
  const auto bit = std::uint64_t{1} << (where % 64);
  word = occupied ? word | bit : word & ~bit;
  const auto is_any
    = std::any_of(words.begin(), words.end(), [](auto x) { return x != 0; });
  const auto level_bit = 1u << level;
  occupied_levels_
    = is_any ? occupied_levels_ | level_bit : occupied_levels_ & ~level_bit;
}

} // namespace gnomon::detail
