#include "tests/simulation/simulated_file.hpp"

namespace gnomon::simulation {

std::optional<position> simulated_file::observe(bytes_view content) {
  if (!of_log_ || content.size() < storage::frame_header_bytes)
    return std::nullopt;
  const auto frame = storage::decode_frame_header(content);
  if (!frame || storage::frame_size(frame->body_bytes) != content.size()
      || !storage::has_valid_checksum(content))
    return std::nullopt;
  disk_.is_state_synced_ = false;
  disk_.observer_.writes(
    *frame, content.substr(storage::frame_header_bytes, frame->body_bytes));
  return frame->last();
}

std::size_t simulated_file::write_part(std::uint64_t offset,
                                       bytes_view content) {
  const auto part = content.substr(0, disk_.random_.below(content.size() + 1));
  std::size_t arrived = 0;
  if (!part.empty())
    static_cast<void>(target_->write(offset, part, &arrived));
  return arrived;
}

result<bytes> simulated_file::read(std::uint64_t offset,
                                   std::size_t bytes_max) {
  if (auto problem = disk_.call(access::reads, "read"))
    return *problem;
  return target_->read(offset, bytes_max);
}

result<void> simulated_file::write(std::uint64_t offset, bytes_view content,
                                   std::size_t* written) {
  const auto last
    = disk_.has_ended_ ? std::optional<position>{} : observe(content);
  std::optional<error> problem;
  try {
    problem = disk_.call(access::grows, "write");
  } catch (const process_end&) {
    write_part(offset, content);
    throw;
  }
  if (!problem) {
    if (last)
      disk_.written_[inode_] = *last;
    return target_->write(offset, content, written);
  }
  const auto arrived = write_part(offset, content);
  if (written != nullptr)
    *written = arrived;
  if (last && problem->code == errc::out_of_space)
    disk_.observer_.takes_back();
  return *problem;
}

result<void> simulated_file::sync() {
  if (auto problem = disk_.call(access::changes, "sync")) {
    // The system forgets the pages that it could not write.
    if (!disk_.has_ended_)
      disk_.memory_.lose_unsynced(*target_);
    return *problem;
  }
  auto done = target_->sync();
  const auto frame = disk_.written_.find(inode_);
  if (done && frame != disk_.written_.end())
    disk_.observer_.synced(frame->second);
  return done;
}

result<void> simulated_file::allocate(std::uint64_t size) {
  if (auto problem = disk_.call(access::grows, "allocate"))
    return *problem;
  return target_->allocate(size);
}

result<void> simulated_file::truncate(std::uint64_t size) {
  if (auto problem = disk_.call(access::changes, "truncate"))
    return *problem;
  return target_->truncate(size);
}

result<std::uint64_t> simulated_file::size() {
  if (auto problem = disk_.call(access::reads, "inspect"))
    return *problem;
  return target_->size();
}

result<void> simulated_file::drop_cache(std::uint64_t offset) {
  if (auto problem = disk_.call(access::reads, "drop the cache of a file"))
    return *problem;
  return target_->drop_cache(offset);
}

} // namespace gnomon::simulation
