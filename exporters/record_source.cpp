#include "exporters/record_source.hpp"

#include "gnomon/check.hpp"
#include "gnomon/v1/export.pb.h"
#include "messages/record_codec.hpp"
#include "messages/record_exchange.hpp"

#include <algorithm>

namespace gnomon::exporters {

namespace {

/// Appends what `wanted` holds of `frame`, from `from` on.
result<void> append(const storage::frame_view& frame, position from,
                    const std::set<value_type>& wanted, v1::ExportBatch& to) {
  auto body = frame.body;
  auto at = frame.header.first;
  for (std::uint32_t i = 0; i < frame.header.record_count; ++i) {
    const auto record = messages::decode_record(body, at);
    if (!record)
      return record.error();
    at = at.next();
    if (record->position >= from
        && (wanted.empty() || wanted.contains(record->value_type)))
      messages::to_exchange(*record, *to.add_records());
  }
  return {};
}

} // namespace

record_source::record_source(storage::file_system& files,
                             source_options options)
  : files_(files), options_(std::move(options)) {
  // nop
}

result<source_batch> record_source::read(position from, position up_to) {
  GNOMON_CHECK(from <= up_to);
  auto read = read_frames(from, up_to);
  if (!read)
    reader_ = nullptr;
  return read;
}

result<source_batch> record_source::read_frames(position from, position up_to) {
  if (!reader_ || reader_->last_position().next() != from) {
    auto opened = storage::log_reader::open(files_, options_.log_directory,
                                            options_.log, from);
    if (!opened)
      return opened.error();
    reader_ = std::move(*opened);
  }
  v1::ExportBatch batch;
  std::size_t bytes = 0;
  while (bytes < options_.batch_bytes_max) {
    const auto frame = reader_->next(up_to);
    if (!frame)
      return frame.error();
    if (!*frame)
      break;
    const auto before = batch.records_size();
    if (auto done = append(**frame, from, options_.value_types, batch); !done)
      return done.error();
    if (batch.records_size() > before)
      bytes += (*frame)->body.size();
    if (reader_->last_position() >= up_to)
      break;
  }
  const auto last
    = std::max(reader_->last_position(), position{from.value - 1});
  batch.set_partition_id(options_.partition.value);
  batch.set_last_position(last.value);
  return source_batch{batch.SerializeAsString(),
                      static_cast<std::size_t>(batch.records_size()), last};
}

} // namespace gnomon::exporters
