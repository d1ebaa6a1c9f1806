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
      ::munmap(block, block_bytes);
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
    if (!blocks_.empty())
      use_huge_page(0);
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
  /// Asks the system, not the allocator: memory that was used before has small
  /// pages already. A huge page must be aligned to its size, so ask for two
  /// and give back what is on both sides.
  static void* map_block() {
    void* area = ::mmap(nullptr, 2 * block_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
      throw std::bad_alloc{};
    auto* begin = static_cast<char*>(area);
    const auto before
      = (block_bytes - reinterpret_cast<std::uintptr_t>(area) % block_bytes)
        % block_bytes;
    if (before > 0)
      ::munmap(begin, before);
    ::munmap(begin + before + block_bytes, block_bytes - before);
    return begin + before;
  }

  /// Advice only: the system may have no huge page left.
  void use_huge_page(std::size_t block) {
    ::madvise(blocks_[block], block_bytes, MADV_HUGEPAGE);
  }

  void add_block() {
    blocks_.push_back(static_cast<T*>(map_block()));
    // A small wheel is content with a few small pages of its first block.
    if (blocks_.size() > 1)
      use_huge_page(blocks_.size() - 1);
  }

  std::vector<T*> blocks_;
  std::size_t count_ = 0;
};

} // namespace gnomon::detail
