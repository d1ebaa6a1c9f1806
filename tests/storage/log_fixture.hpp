// What the tests of the log share: a log in memory and ways to fill it.

#pragma once

#include "storage/log.hpp"
#include "storage/log_reader.hpp"
#include "storage/log_survey.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/memory_file_system.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace gnomon::storage {

inline const path log_directory = "/partition/log";
inline const path torn_directory = "/partition/torn";

/// Returns options of a log of small segments.
inline log_options small_options() {
  log_options options;
  options.id = {0x1122334455667788};
  options.torn_directory = torn_directory;
  options.segment_bytes = 1024;
  options.frame_bytes_max = 64 * 1024;
  options.space = preallocation::reserve;
  return options;
}

/// Returns a file system in memory with the directory of a partition.
inline std::unique_ptr<test::memory_file_system> partition_files() {
  auto files = std::make_unique<test::memory_file_system>();
  EXPECT_TRUE(files->create_directories("/partition"));
  EXPECT_TRUE(files->sync_directory("/"));
  return files;
}

inline result<std::unique_ptr<log>> open_log(file_system& files,
                                             open_hints hints = {}) {
  return log::open(files, log_directory, small_options(), hints);
}

/// Returns the records of the frame at `first`: bytes that name it.
inline bytes records_at(position first, std::size_t size = 40) {
  auto text = "records at " + std::to_string(first.value) + " ";
  while (text.size() < size)
    text += static_cast<char>('a' + text.size() % 26);
  return text;
}

/// Writes one frame of `count` records, without syncing.
inline result<void> append(log& target, std::uint32_t count = 1,
                           std::size_t size = 40) {
  const auto first = target.last_position().next();
  const auto records = records_at(first, size);
  const auto sealed = target.seal({first, count, first.value + count, records});
  if (!sealed)
    return sealed.error();
  return target.write();
}

inline result<void> append_and_sync(log& target, std::uint32_t count = 1) {
  if (auto outcome = append(target, count); !outcome)
    return outcome;
  return target.sync();
}

/// Returns the path of the segment that begins at `first`.
inline path segment_path(std::uint64_t first) {
  return log_directory / segment_name({first});
}

/// A frame as the reader returns it, with its own bytes.
struct frame_copy {
  frame_header header;
  bytes body;

  friend bool operator==(const frame_copy&, const frame_copy&) = default;
};

/// Reads all frames that have been written.
inline result<std::vector<frame_copy>> read_frames(file_system& files) {
  const auto segments = list_segments(files, log_directory);
  if (!segments)
    return segments.error();
  std::vector<frame_copy> all;
  if (segments->empty())
    return all;
  auto reader = log_reader::open(files, log_directory, small_options().id,
                                 segments->front());
  if (!reader)
    return reader.error();
  for (;;) {
    const auto frame = (*reader)->next(read_all_written);
    if (!frame)
      return frame.error();
    if (!*frame)
      return all;
    all.push_back({(*frame)->header, bytes{(*frame)->body}});
  }
}

/// Opens the log again and returns the error with which that fails.
inline errc reopening_error(file_system& files, open_hints hints = {}) {
  const auto again = open_log(files, hints);
  return again ? errc::none : again.error().code;
}

} // namespace gnomon::storage
