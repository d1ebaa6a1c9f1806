#include "engine/record_batch.hpp"

#include "gnomon/check.hpp"
#include "messages/record_codec.hpp"

namespace gnomon::engine {

void record_batch::begin(position first) {
  GNOMON_CHECK(first);
  first_ = first;
  count_ = 0;
  records_.clear();
  kinds_.clear();
  gap_.reset();
}

bool record_batch::append(typed_record& added) {
  if (messages::encoded_size(added) + records_.size() > bytes_max_)
    return false;
  added.position = next();
  messages::encode_record(added, records_);
  const auto length = added.value.size();
  added.value = bytes_view{records_}.substr(records_.size() - length);
  kinds_.push_back({added.value_type, added.intent, added.record_type});
  ++count_;
  return true;
}

void record_batch::leave_gap() {
  GNOMON_CHECK(!gap_);
  gap_ = gap{next(), records_.size()};
  ++count_;
}

bool record_batch::fill_gap(typed_record& added) {
  GNOMON_CHECK(gap_.has_value());
  if (messages::encoded_size(added) + records_.size() > bytes_max_)
    return false;
  added.position = gap_->position;
  bytes encoded;
  messages::encode_record(added, encoded);
  records_.insert(gap_->offset, encoded);
  kinds_.push_back({added.value_type, added.intent, added.record_type});
  gap_.reset();
  return true;
}

} // namespace gnomon::engine
