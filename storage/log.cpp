#include "storage/log.hpp"

#include "gnomon/check.hpp"
#include "storage/log_recovery.hpp"

#include <algorithm>
#include <utility>

namespace gnomon::storage {

log::log(file_system& files, path directory, log_options options)
  : files_(files), directory_(std::move(directory)),
    options_(std::move(options)) {
  // nop
}

result<std::unique_ptr<log>> log::open(file_system& files, path directory,
                                       log_options options, open_hints hints) {
  if (options.frame_bytes_max > frame_bytes_limit
      || options.segment_bytes < segment_header_bytes + frame_header_bytes
      || options.torn_directory.empty())
    return {errc::invalid_argument,
            "open log " + directory.string()
              + ": expected a segment to hold a frame, a frame to keep the "
                "limit of the format, and a torn directory"};
  std::unique_ptr<log> opened{
    new log{files, std::move(directory), std::move(options)}};
  auto found = recover_log(files, opened->directory_, opened->options_, hints);
  if (!found)
    return found.error();
  auto& survey = found->survey;
  GNOMON_CHECK(survey.last >= survey.durable);
  opened->report_ = std::move(found->report);
  opened->active_ = std::make_shared<segment_file>(std::move(found->active));
  opened->segments_ = std::move(survey.segments);
  opened->offset_ = survey.end_offset;
  opened->last_ = survey.last;
  opened->durable_ = survey.last;
  opened->chain_ = survey.chain;
  opened->next_key_ = survey.next_key;
  opened->epoch_ = survey.epoch;
  return opened;
}

// -- writing ------------------------------------------------------------------

void log::begin_epoch(std::uint64_t epoch) {
  GNOMON_CHECK(epoch >= epoch_);
  epoch_ = epoch;
}

result<chain_value> log::seal(const frame_body& body) {
  GNOMON_CHECK(body.first == last_.next());
  GNOMON_CHECK(body.record_count > 0);
  if (poisoned_)
    return {errc::io_error, "seal frame: the log is poisoned"};
  const auto size = frame_size(body.records.size());
  if (size > options_.frame_bytes_max)
    return {errc::exceeded_batch_size,
            "seal frame: expected at most "
              + std::to_string(options_.frame_bytes_max) + " bytes, but got "
              + std::to_string(size)};
  sealed_header_ = {};
  sealed_header_.id = options_.id;
  sealed_header_.epoch = epoch_;
  sealed_header_.first = body.first;
  sealed_header_.record_count = body.record_count;
  sealed_header_.durable = durable_;
  sealed_header_.next_key = body.next_key;
  sealed_header_.previous = chain_;
  sealed_header_.checksum = encode_frame(sealed_header_, body.records, sealed_);
  return sealed_header_.checksum;
}

result<void> log::write() {
  GNOMON_CHECK(!rolling_);
  if (poisoned_)
    return {errc::io_error, "write frame: the log is poisoned"};
  GNOMON_CHECK(!sealed_.empty());
  std::size_t written = 0;
  const auto outcome = active_->content().write(offset_, sealed_, &written);
  if (!outcome) {
    if (outcome.error().code != errc::out_of_space)
      return poison(outcome.error());
    if (written > 0)
      return undo_partial_write(outcome.error());
    return outcome;
  }
  offset_ += sealed_.size();
  bytes_written_ += sealed_.size();
  last_ = sealed_header_.last();
  chain_ = sealed_header_.checksum;
  next_key_ = sealed_header_.next_key;
  sealed_.clear();
  GNOMON_CHECK(offset_ % frame_alignment == 0);
  return {};
}

result<void> log::undo_partial_write(const gnomon::error& cause) {
  if (const auto outcome = active_->content().truncate(offset_); !outcome)
    return poison(outcome.error());
  if (const auto outcome = active_->sync(); !outcome)
    return poison(outcome.error());
  return cause;
}

result<void> log::poison(const gnomon::error& cause) {
  poisoned_ = true;
  return {errc::io_error, cause.context};
}

// -- syncing ------------------------------------------------------------------

sync_ticket log::begin_sync() const {
  return sync_ticket{active_, last_};
}

result<void> log::end_sync(const sync_ticket& ticket,
                           const result<void>& outcome) {
  GNOMON_CHECK(ticket.up_to() <= last_);
  if (poisoned_)
    return {errc::io_error, "end sync: the log is poisoned"};
  if (!outcome)
    return poison(outcome.error());
  durable_ = std::max(durable_, ticket.up_to());
  return {};
}

result<void> log::sync() {
  if (poisoned_)
    return {errc::io_error, "sync: the log is poisoned"};
  auto ticket = begin_sync();
  return end_sync(ticket, ticket.run());
}

// -- segments -----------------------------------------------------------------

bool log::must_roll(std::size_t frame_bytes) const {
  return offset_ > segment_header_bytes
         && offset_ + frame_bytes > options_.segment_bytes;
}

bool log::wants_spare() const {
  return !tried_spare_ && !rolling_ && offset_ >= options_.segment_bytes / 2;
}

spare_ticket log::begin_spare() {
  GNOMON_CHECK(!making_spare_);
  GNOMON_CHECK(!rolling_);
  making_spare_ = true;
  tried_spare_ = true;
  return spare_ticket{files_, directory_, options_.segment_bytes,
                      options_.space};
}

void log::end_spare(spare_ticket& ticket, const result<void>& outcome) {
  GNOMON_CHECK(making_spare_);
  making_spare_ = false;
  if (outcome)
    spare_ = std::move(ticket.created_);
}

roll_ticket log::begin_roll() {
  GNOMON_CHECK(!rolling_);
  GNOMON_CHECK(!making_spare_);
  GNOMON_CHECK(offset_ > segment_header_bytes);
  rolling_ = true;
  segment_header header;
  header.id = options_.id;
  header.epoch = epoch_;
  header.first = last_.next();
  header.previous = chain_;
  // The old segment is synced before this header is written.
  header.durable = last_;
  header.next_key = next_key_;
  return roll_ticket{files_,
                     {directory_, active_, offset_, header,
                      options_.segment_bytes, options_.space,
                      std::move(spare_)}};
}

result<void> log::end_roll(roll_ticket& ticket, const result<void>& outcome) {
  GNOMON_CHECK(rolling_);
  rolling_ = false;
  if (poisoned_)
    return {errc::io_error, "end roll: the log is poisoned"};
  const auto& header = ticket.plan_.header;
  GNOMON_CHECK(header.first == last_.next());
  if (ticket.sealed_is_synced_)
    durable_ = std::max(durable_, header.durable);
  if (!outcome)
    return ticket.may_retry_ ? outcome : poison(outcome.error());
  GNOMON_CHECK(ticket.created_ != nullptr);
  active_ = std::move(ticket.created_);
  segments_.push_back(header.first);
  offset_ = segment_header_bytes;
  tried_spare_ = false;
  return {};
}

result<void> log::roll() {
  if (poisoned_)
    return {errc::io_error, "roll: the log is poisoned"};
  auto ticket = begin_roll();
  return end_roll(ticket, ticket.run());
}

result<std::size_t> log::compact(position below) {
  if (poisoned_)
    return {errc::io_error, "compact: the log is poisoned"};
  std::size_t deleted = 0;
  while (segments_.size() > 1 && segments_[1] <= below) {
    const auto name = directory_ / segment_name(segments_.front());
    if (const auto outcome = files_.remove(name); !outcome)
      return poison(outcome.error()).error();
    if (const auto outcome = files_.sync_directory(directory_); !outcome)
      return poison(outcome.error()).error();
    segments_.erase(segments_.begin());
    ++deleted;
  }
  return deleted;
}

} // namespace gnomon::storage
