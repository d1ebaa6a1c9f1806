// Headers of frames and segments, and names of segments.

#include "storage/frame.hpp"

#include "storage/segment.hpp"
#include "tests/fuzz/target.hpp"

namespace gnomon::fuzz {

using namespace storage;

namespace {

void take_frame(bytes_view input) {
  if (input.size() < frame_header_bytes)
    return;
  static_cast<void>(has_valid_checksum(input));
  auto header = decode_frame_header(input);
  if (!header)
    return;
  GNOMON_CHECK(header->body_bytes < frame_bytes_limit);
  const auto body = input.substr(frame_header_bytes);
  if (header->record_count == 0 || header->body_bytes > body.size())
    return;
  bytes again;
  header->checksum
    = encode_frame(*header, body.substr(0, header->body_bytes), again);
  GNOMON_CHECK(again.size() == frame_size(header->body_bytes));
  GNOMON_CHECK(has_valid_checksum(again));
  GNOMON_CHECK(decode_frame_header(again) == header);
}

void take_segment(bytes_view input) {
  if (const auto header = decode_segment_header(input))
    GNOMON_CHECK(encode_segment_header(*header)
                 == input.substr(0, segment_header_bytes));
  reader in{input};
  segment_header made;
  made.version = static_cast<std::uint16_t>(in.number(2));
  made.id = {in.number(8)};
  made.epoch = in.number(8);
  made.first = {in.number(8)};
  made.previous = {in.number(8)};
  made.durable = {in.number(8)};
  made.next_key = in.number(8);
  GNOMON_CHECK(decode_segment_header(encode_segment_header(made)) == made);
  if (made.first)
    GNOMON_CHECK(parse_segment_name(segment_name(made.first)) == made.first);
}

} // namespace

void run(bytes_view input) {
  take_frame(input);
  take_segment(input);
  if (const auto first = parse_segment_name(input))
    GNOMON_CHECK(segment_name(*first) == input);
}

} // namespace gnomon::fuzz
