// An open file of a simulated disk.

#pragma once

#include "tests/simulation/simulated_disk.hpp"

namespace gnomon::simulation {

/// Decorates a file in memory: fails when the disk says so, and tells the
/// observer about frames.
class simulated_file final : public storage::file {
public:
  /// @param disk    Borrowed; must outlive this.
  /// @param of_log  Whether it lies in the directory of the log.
  simulated_file(simulated_disk& disk, std::unique_ptr<storage::file> target,
                 std::uint64_t inode, bool of_log)
    : disk_(disk), target_(std::move(target)), inode_(inode), of_log_(of_log) {
    // nop
  }

  result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override;

  result<void> write(std::uint64_t offset, bytes_view content,
                     std::size_t* written) override;

  result<void> sync() override;

  result<void> allocate(std::uint64_t size) override;

  result<void> truncate(std::uint64_t size) override;

  result<std::uint64_t> size() override;

  result<void> drop_cache(std::uint64_t offset) override;

private:
  using access = simulated_disk::access;

  /// Tells about `content` if it is a frame, and returns its last position.
  std::optional<position> observe(bytes_view content);

  /// Lets a part of a write arrive. @returns How many bytes.
  std::size_t write_part(std::uint64_t offset, bytes_view content);

  simulated_disk& disk_;
  std::unique_ptr<storage::file> target_;
  std::uint64_t inode_;
  bool of_log_;
};

} // namespace gnomon::simulation
