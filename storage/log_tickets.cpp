#include "storage/log_tickets.hpp"

#include "gnomon/check.hpp"

#include <utility>

namespace gnomon::storage {

segment_file::segment_file(std::unique_ptr<file> content)
  : content_(std::move(content)) {
  GNOMON_CHECK(content_ != nullptr);
}

result<void> segment_file::sync() {
  // One at a time: whoever comes second must not get the success that the
  // system reports once the failure was told to the first.
  const std::lock_guard guard{mutex_};
  if (failed_)
    return {errc::io_error, "sync segment: an earlier sync has failed"};
  auto outcome = content_->sync();
  failed_ = !outcome;
  return outcome;
}

result<void> spare_ticket::run() {
  GNOMON_CHECK(!created_);
  auto created
    = create_spare_segment(*files_, directory_, segment_bytes_, space_);
  if (!created)
    return created.error();
  created_ = *std::move(created);
  return {};
}

result<void> roll_ticket::run() {
  GNOMON_CHECK(plan_.sealed != nullptr);
  GNOMON_CHECK(!created_);
  auto& sealed = *plan_.sealed;
  if (auto outcome = sealed.content().truncate(plan_.sealed_bytes); !outcome)
    return outcome;
  if (auto outcome = sealed.sync(); !outcome)
    return outcome;
  sealed_is_synced_ = true;
  bool named = false;
  auto created = create_segment(*files_, plan_.directory, plan_.header,
                                plan_.segment_bytes, plan_.space, &named,
                                std::move(plan_.spare));
  if (!created) {
    may_retry_ = !named && created.error().code == errc::out_of_space;
    return created.error();
  }
  created_ = std::make_shared<segment_file>(*std::move(created));
  return {};
}

} // namespace gnomon::storage
