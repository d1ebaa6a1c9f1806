// Memory for very many small objects: grows by blocks, never moves anything.

#pragma once

#include "gnomon/check.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <type_traits>
#include <vector>

namespace gnomon::detail {

/// Objects of type `T`, addressed by 32-bit index.
///
/// Each block is one huge page if the system has one: a fault costs some
/// 15 us under virtualisation, so 512 small ones would outweigh all else.
template <class T>
class slab {
public:
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert((sizeof(T) & (sizeof(T) - 1)) == 0, "indices are split in two");

  static constexpr std::size_t block_bytes = std::size_t{1} << 21;
  static constexpr std::size_t per_block = block_bytes / sizeof(T);

  /// Indices end here, so that the largest number may mean "none".
  static constexpr std::uint64_t count_max = 0xFFFF'FFFF;

  slab() = default;

  slab(const slab&) = delete;

  slab& operator=(const slab&) = delete;

  ~slab() {
    for (auto* block : blocks_)
      ::operator delete (block, std::align_val_t{block_bytes});
  }

  T& operator[](std::uint32_t index) {
    return blocks_[index / per_block][index % per_block];
  }

  const T& operator[](std::uint32_t index) const {
    return blocks_[index / per_block][index % per_block];
  }

  /// Returns the index of a new object.
  std::uint32_t add() {
    GNOMON_CHECK(count_ < count_max);
    if (count_ == capacity())
      add_block();
    const auto result = static_cast<std::uint32_t>(count_++);
    ::new (&(*this)[result]) T{};
    return result;
  }

  /// Makes room for `count` objects in all and touches the memory.
  void reserve(std::size_t count) {
    blocks_.reserve((count + per_block - 1) / per_block);
    while (capacity() < count)
      add_block();
    for (auto first = count_; first < capacity();) {
      const auto rest = per_block - first % per_block;
      std::memset(
        static_cast<void*>(&blocks_[first / per_block][first % per_block]), 0,
        rest * sizeof(T));
      first += rest;
    }
  }

  /// Returns how many objects were ever added.
  std::size_t count() const {
    return count_;
  }

  std::size_t capacity() const {
    return blocks_.size() * per_block;
  }

  std::size_t memory_bytes() const {
    return blocks_.size() * block_bytes;
  }

private:
  void add_block() {
    void* block = ::operator new (block_bytes, std::align_val_t{block_bytes});
    // A small wheel is content with a few small pages of its first block.
    if (!blocks_.empty())
      ::madvise(block, block_bytes, MADV_HUGEPAGE);
    blocks_.push_back(static_cast<T*>(block));
  }

  std::vector<T*> blocks_;
  std::size_t count_ = 0;
};

} // namespace gnomon::detail
