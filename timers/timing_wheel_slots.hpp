// Timers of a wheel, filed in slots.

#pragma once

#include "gnomon/check.hpp"
#include "timers/timing_wheel_slab.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace gnomon::detail {

inline constexpr std::uint32_t no_index = 0xFFFF'FFFF;

/// One timer. Two of them fill a cache line.
struct wheel_node {
  /// In ticks.
  std::uint64_t due = 0;
  std::uint64_t payload = 0;
  std::uint32_t generation = 1;

  /// Where the timer is filed, or the next free node.
  std::uint32_t chunk = no_index;

  /// Which `advance` it was scheduled in or behind, if it was due already.
  std::uint32_t round = 0;

  /// Index within the chunk.
  std::uint8_t place = 0;
};

static_assert(sizeof(wheel_node) == 32);

/// Up to 13 timers of one slot. Chunks rather than linked nodes, since the
/// addresses of the next nodes are then known early enough to prefetch them.
struct wheel_chunk {
  static constexpr std::uint8_t places = 13;

  std::uint32_t timers[places] = {};
  std::uint32_t previous = no_index;
  std::uint32_t next = no_index;
  std::uint16_t slot = 0;

  /// Places taken so far; they are not taken again, to keep the order.
  std::uint8_t used = 0;
};

static_assert(sizeof(wheel_chunk) == 64, "one cache line");

/// Places of a chunk, a bit each.
using wheel_places = std::uint16_t;

/// The slots of all levels, and one more for timers that were due already.
class wheel_slots {
public:
  static constexpr unsigned level_bits = 8;
  static constexpr unsigned per_level = 1u << level_bits;
  static constexpr unsigned level_count = (64 + level_bits - 1) / level_bits;

  /// The slot of timers that were due when they were scheduled.
  static constexpr std::uint32_t overdue = level_count * per_level;
  static constexpr std::uint32_t slot_count = overdue + 1;

  static constexpr std::uint64_t no_tick
    = std::numeric_limits<std::uint64_t>::max();

  struct slot {
    std::uint32_t head = no_index;
    std::uint32_t tail = no_index;

    /// No later than the earliest timer; exact until that is canceled.
    std::uint64_t earliest = no_tick;
  };

  /// Takes a node out of the free ones.
  std::uint32_t acquire() {
    if (free_node_ == no_index)
      return nodes_.add();
    const auto result = free_node_;
    free_node_ = nodes_[result].chunk;
    if (free_node_ != no_index)
      __builtin_prefetch(&nodes_[free_node_], 1);
    return result;
  }

  /// Gives a node back; handles to it become stale. When its generations are
  /// used up it is not used again, lest an old handle fit a new timer.
  void release(std::uint32_t timer) {
    auto& node = nodes_[timer];
    if (++node.generation == 0) [[unlikely]]
      return;
    node.chunk = free_node_;
    free_node_ = timer;
  }

  /// Files `timer` at the end of slot `where`.
  void file(std::uint32_t where, std::uint32_t timer) {
    auto& node = nodes_[timer];
    auto& target = slots_[where];
    auto last = target.tail;
    if (last == no_index || chunks_[last].used == wheel_chunk::places)
      last = add_chunk(where);
    auto& chunk = chunks_[last];
    node.chunk = last;
    node.place = chunk.used;
    chunk.timers[chunk.used] = timer;
    ++chunk.used;
    target.earliest = std::min(target.earliest, node.due);
  }

  /// Takes `timer` out of its slot.
  void take_out(std::uint32_t timer) {
    const auto& node = nodes_[timer];
    clear(node.chunk, node.place);
  }

  /// Takes the timer out that is at `place` of a chunk.
  void clear(std::uint32_t index, unsigned place) {
    auto& gone = gone_[index];
    const auto bit = 1u << place;
    GNOMON_CHECK((gone & bit) == 0);
    gone = static_cast<wheel_places>(gone | bit);
    // Looks at the chunk only if it may be empty: no gaps in `gone`.
    if ((gone & (gone + 1u)) == 0 && index != pinned_ && live(index) == 0)
      drop_chunk(index);
  }

  /// Keeps `chunk` in place even when it has no timers left.
  void pin(std::uint32_t chunk) {
    pinned_ = chunk;
  }

  /// Ends `pin`, and drops the chunk if it has no timers left.
  void unpin() {
    const auto chunk = pinned_;
    pinned_ = no_index;
    if (chunk != no_index && live(chunk) == 0)
      drop_chunk(chunk);
  }

  void drop_chunk(std::uint32_t index);

  /// Begins to load the timers of a chunk, and the chunk behind it.
  void prefetch(std::uint32_t index) const {
    if (index == no_index)
      return;
    const auto& chunk = chunks_[index];
    for (auto rest = live(index); rest != 0; rest &= rest - 1)
      __builtin_prefetch(&nodes_[chunk.timers[std::countr_zero(rest)]], 1);
    if (chunk.next != no_index)
      __builtin_prefetch(&chunks_[chunk.next], 1);
  }

  /// Returns the first slot in time, or `no_index` if all levels are empty.
  std::uint32_t first() const {
    if (occupied_levels_ == 0)
      return no_index;
    const auto level
      = static_cast<unsigned>(std::countr_zero(occupied_levels_));
    const auto& words = occupied_[level];
    unsigned word = 0;
    while (words[word] == 0)
      ++word;
    const auto bit = static_cast<unsigned>(std::countr_zero(words[word]));
    return level * per_level + word * 64 + bit;
  }

  bool is_empty(std::uint32_t where) const {
    return slots_[where].head == no_index;
  }

  const slot& at(std::uint32_t where) const {
    return slots_[where];
  }

  wheel_node& node(std::uint32_t timer) {
    return nodes_[timer];
  }

  const wheel_node& node(std::uint32_t timer) const {
    return nodes_[timer];
  }

  const wheel_chunk& chunk(std::uint32_t index) const {
    return chunks_[index];
  }

  /// Returns which places of a chunk have a timer.
  unsigned live(std::uint32_t index) const {
    const auto used = (1u << chunks_[index].used) - 1;
    return used & ~unsigned{gone_[index]};
  }

  /// Returns how many nodes there are, in use or free.
  std::size_t node_count() const {
    return nodes_.count();
  }

  void reserve(std::size_t count);

  std::size_t memory_bytes() const {
    return sizeof *this + nodes_.memory_bytes() + chunks_.memory_bytes()
           + gone_.memory_bytes();
  }

private:
  std::uint32_t add_chunk(std::uint32_t where);

  std::uint32_t acquire_chunk();

  void mark(std::uint32_t where, bool occupied);

  std::array<slot, slot_count> slots_;
  /// A bit for each slot that has chunks.
  std::array<std::array<std::uint64_t, per_level / 64>, level_count>
    occupied_{};
  std::uint32_t occupied_levels_ = 0;
  std::uint32_t free_node_ = no_index;
  std::uint32_t free_chunk_ = no_index;
  std::uint32_t pinned_ = no_index;
  slab<wheel_node> nodes_;
  slab<wheel_chunk> chunks_;

  /// For each chunk, the places whose timer has gone. Kept apart: so small
  /// that it stays in the cache, it saves `cancel` a miss.
  slab<wheel_places> gone_;
};

} // namespace gnomon::detail
