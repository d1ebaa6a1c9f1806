// A directory with one or two segments, opened through the real recovery.
// Input: flags, then each segment with its size in front, the last to the end.

#include "storage/frame_bytes.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/storage/log_fixture.hpp"

#include <xxhash.h>

namespace gnomon::fuzz {

using namespace storage;

namespace {

std::uint64_t checksum(bytes_view of) {
  return XXH3_64bits(of.data(), of.size());
}

/// Gives the header and the frames of a segment the checksums, and the frames
/// their place in the chain: otherwise nothing would get behind those.
void seal(bytes& segment, std::uint64_t& chain) {
  if (segment.size() < segment_header_bytes)
    return;
  put_integer(segment, 32, chain);
  put_integer(segment, 56, checksum(bytes_view{segment}.substr(0, 56)));
  std::size_t at = segment_header_bytes;
  while (at + frame_header_bytes <= segment.size()) {
    const auto length = get_integer<std::uint32_t>(segment, at + 16);
    const auto size = frame_size(length);
    if (size > segment.size() - at)
      return;
    put_integer(segment, at + 20, ~length);
    put_integer(segment, at + 64, chain);
    chain = checksum(bytes_view{segment}.substr(at + 8, size - 8));
    put_integer(segment, at, chain);
    at += size;
  }
}

bool place(test::memory_file_system& files, reader& in, bool sealed) {
  std::uint64_t chain = 0;
  for (const auto last : {false, true}) {
    bytes segment{last ? in.rest() : in.counted()};
    if (sealed)
      seal(segment, chain);
    auto first = segment.size() >= segment_header_bytes
                   ? get_integer<std::uint64_t>(segment, 24)
                   : 0;
    if (!segment.empty() && first != 0)
      files.overwrite(segment_path(first), segment);
  }
  return true;
}

} // namespace

void run(bytes_view input) {
  reader in{input};
  const auto flags = in.number(1);
  const auto files = partition_files();
  GNOMON_CHECK(files->create_directories(log_directory));
  place(*files, in, (flags & 1) == 0);
  open_hints hints;
  hints.durable_at_least = {flags >> 4};
  hints.verify_from = {(flags & 2) == 0 ? 1u : 9u};
  static_cast<void>(read_frames(*files));
  const auto before = verify_log(*files, log_directory, small_options().id);
  auto opened = open_log(*files, hints);
  if (!opened)
    return;
  const auto last = (*opened)->last_position();
  GNOMON_CHECK(!before || before->last <= last || before->torn_bytes > 0);
  GNOMON_CHECK((*opened)->durable_position() == last);
  if (last.value > position_max.value - 8)
    return;
  GNOMON_CHECK(append_and_sync(**opened, 2));
  opened = open_log(*files);
  GNOMON_CHECK(opened);
  GNOMON_CHECK((*opened)->last_position().value == last.value + 2);
  GNOMON_CHECK((*opened)->report().torn_bytes == 0);
  GNOMON_CHECK(read_frames(*files));
}

} // namespace gnomon::fuzz
