#include "storage/frame.hpp"

#include "gnomon/check.hpp"
#include "storage/frame_bytes.hpp"

#include <xxhash.h>

namespace gnomon::storage {

namespace {

constexpr std::uint32_t magic = 0x4D52464E; // "NFRM"

// Offsets in the header. The checksum, the magic, the version and the length
// stay where they are in all versions.
constexpr std::size_t at_checksum = 0;
constexpr std::size_t at_magic = 8;
constexpr std::size_t at_version = 12;
constexpr std::size_t at_length = 16;
constexpr std::size_t at_length_complement = 20;
constexpr std::size_t at_log_id = 24;
constexpr std::size_t at_epoch = 32;
constexpr std::size_t at_first = 40;
constexpr std::size_t at_durable = 48;
constexpr std::size_t at_next_key = 56;
constexpr std::size_t at_previous = 64;
constexpr std::size_t at_count = 72;

static_assert(at_count + 8 == frame_header_bytes);

std::uint64_t checksum_of(bytes_view frame) {
  return XXH3_64bits(frame.data() + at_magic, frame.size() - at_magic);
}

} // namespace

std::size_t frame_size(std::size_t body_bytes) {
  const auto size = frame_header_bytes + body_bytes;
  return (size + frame_alignment - 1) / frame_alignment * frame_alignment;
}

chain_value encode_frame(const frame_header& header, bytes_view body,
                         bytes& target) {
  GNOMON_CHECK(header.record_count > 0);
  GNOMON_CHECK(body.size() < frame_bytes_limit);
  const auto length = static_cast<std::uint32_t>(body.size());
  target.assign(frame_size(body.size()), '\0');
  put_integer(target, at_magic, magic);
  put_integer(target, at_version, header.version);
  put_integer(target, at_length, length);
  put_integer(target, at_length_complement, ~length);
  put_integer(target, at_log_id, header.id.value);
  put_integer(target, at_epoch, header.epoch);
  put_integer(target, at_first, header.first.value);
  put_integer(target, at_durable, header.durable.value);
  put_integer(target, at_next_key, header.next_key);
  put_integer(target, at_previous, header.previous.value);
  put_integer(target, at_count, header.record_count);
  target.replace(frame_header_bytes, body.size(), body);
  const auto checksum = checksum_of(target);
  put_integer(target, at_checksum, checksum);
  return {checksum};
}

std::optional<frame_header> decode_frame_header(bytes_view source) {
  GNOMON_CHECK(source.size() >= frame_header_bytes);
  if (!is_frame_magic(source.substr(at_magic)))
    return std::nullopt;
  frame_header header;
  header.version = get_integer<std::uint16_t>(source, at_version);
  header.body_bytes = get_integer<std::uint32_t>(source, at_length);
  header.id.value = get_integer<std::uint64_t>(source, at_log_id);
  header.epoch = get_integer<std::uint64_t>(source, at_epoch);
  header.first.value = get_integer<std::uint64_t>(source, at_first);
  header.durable.value = get_integer<std::uint64_t>(source, at_durable);
  header.next_key = get_integer<std::uint64_t>(source, at_next_key);
  header.previous.value = get_integer<std::uint64_t>(source, at_previous);
  header.record_count = get_integer<std::uint32_t>(source, at_count);
  header.checksum.value = get_integer<std::uint64_t>(source, at_checksum);
  const auto complement
    = get_integer<std::uint32_t>(source, at_length_complement);
  if (header.body_bytes != ~complement
      || header.body_bytes >= frame_bytes_limit)
    return std::nullopt;
  return header;
}

bool has_valid_checksum(bytes_view frame) {
  GNOMON_CHECK(frame.size() >= frame_header_bytes);
  return get_integer<std::uint64_t>(frame, at_checksum) == checksum_of(frame);
}

bool is_frame_magic(bytes_view word) {
  GNOMON_CHECK(word.size() >= sizeof(magic));
  return get_integer<std::uint32_t>(word, 0) == magic;
}

} // namespace gnomon::storage
