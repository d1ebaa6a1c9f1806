#include "exporters/export_channel.hpp"

#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon::exporters {

export_channel::export_channel(position acknowledged, channel_limits limits)
  : limits_(limits), acknowledged_(acknowledged), read_(acknowledged) {
  GNOMON_CHECK(limits.batches_max > 0);
}

std::optional<export_channel::read_order>
export_channel::begin_read(position durable) {
  if (is_reading_ || read_ >= durable
      || under_way_.size() >= limits_.batches_max
      || bytes_under_way_ >= limits_.bytes_max)
    return std::nullopt;
  is_reading_ = true;
  return read_order{read_.next(), attempt_};
}

std::optional<std::uint64_t>
export_channel::end_read(const read_order& order, const read_outcome& outcome) {
  if (order.attempt != attempt_)
    return std::nullopt;
  GNOMON_CHECK(is_reading_);
  is_reading_ = false;
  read_ = std::max(read_, outcome.last);
  if (outcome.records > 0) {
    under_way_.push_back({++last_number_, read_, outcome.bytes});
    bytes_under_way_ += outcome.bytes;
    return last_number_;
  }
  // Nobody answers for records that are filtered out.
  if (under_way_.empty())
    acknowledged_ = read_;
  else
    under_way_.back().last = read_;
  return std::nullopt;
}

void export_channel::acknowledge(std::uint64_t number) {
  const auto found = std::ranges::find(under_way_, number, &sent_batch::number);
  if (found == under_way_.end())
    return;
  found->is_safe = true;
  while (!under_way_.empty() && under_way_.front().is_safe) {
    const auto& first = under_way_.front();
    GNOMON_CHECK(first.last > acknowledged_);
    acknowledged_ = first.last;
    bytes_under_way_ -= first.bytes;
    bytes_acknowledged_ += first.bytes;
    under_way_.pop_front();
  }
}

bool export_channel::expects(std::uint64_t number) const {
  return std::ranges::any_of(under_way_, [number](const sent_batch& x) {
    return x.number == number && !x.is_safe;
  });
}

void export_channel::restart() {
  restart_behind(acknowledged_);
}

void export_channel::restart_behind(position acknowledged) {
  ++attempt_;
  is_reading_ = false;
  under_way_.clear();
  bytes_under_way_ = 0;
  acknowledged_ = acknowledged;
  read_ = acknowledged;
}

} // namespace gnomon::exporters
