#include "partitions/partition_storage.hpp"

#include "storage/log_reader.hpp"

#include <algorithm>

namespace gnomon::partitions {

namespace {

using namespace storage;

result<state_bookkeeping> load_bookkeeping(state_store& state) {
  auto view = state.reader();
  if (!view)
    return view.error();
  auto book = bookkeeping::load(**view);
  if (!book)
    return book.error();
  return book->value_or(state_bookkeeping{});
}

std::optional<file_identity> state_identity(file_system& files,
                                            const partition_directory& where) {
  auto found = files.identity(where.state_directory() / state_file_name);
  if (!found)
    return std::nullopt;
  return *found;
}

} // namespace

partition_storage::partition_storage(file_system& files,
                                     partition_directory directory,
                                     const partition_options& options)
  : files_(files), directory_(std::move(directory)), options_(options),
    snapshots_(files, directory_.snapshots_directory(),
               directory_.identity().log) {
  // nop
}

result<std::unique_ptr<partition_storage>>
partition_storage::open(file_system& files, const partition_options& options) {
  auto directory = partition_directory::open(
    files, options.directory, {options.id, options.partition_count});
  if (!directory)
    return directory.error();
  auto boot = current_boot_id(files);
  if (!boot)
    return boot.error();
  std::unique_ptr<partition_storage> opened{
    new partition_storage(files, std::move(*directory), options)};
  opened->boot_ = *boot;
  if (auto done = opened->open_log(); !done)
    return done.error();
  if (auto done = opened->open_state(); !done)
    return done.error();
  return opened;
}

result<state_bookkeeping> partition_storage::bookkeeping() {
  return load_bookkeeping(*state_);
}

result<void> partition_storage::close() {
  if (auto done = log_->sync(); !done)
    return done;
  // A sync that fails loses pages that are seen nevertheless, and the next one
  // succeeds. So the state is distrusted until this one has ended well.
  if (auto done = distrust(); !done)
    return done;
  if (auto done = state_->sync(); !done)
    return done;
  const auto durable = log_->durable_position();
  state_ = nullptr;
  log_ = nullptr;
  return stamp_clean(files_, directory_, boot_, durable);
}

result<void> partition_storage::distrust() {
  return storage::distrust(files_, directory_.stamp_file());
}

result<void> partition_storage::open_log() {
  auto found = read_stamp(files_, directory_.stamp_file());
  if (!found)
    return found.error();
  auto snapshot = snapshots_.durable_position();
  if (!snapshot)
    return snapshot.error();
  open_hints hints;
  hints.durable_at_least = *snapshot;
  const auto id = directory_.identity().log;
  if (*found && (*found)->log == id)
    hints.durable_at_least = std::max(*snapshot, (*found)->durable);
  if (auto trusted = trusted_position())
    hints.verify_from = *trusted;
  log_options how;
  how.id = id;
  how.torn_directory = directory_.torn_directory();
  how.segment_bytes = options_.segment_bytes;
  how.frame_bytes_max = options_.batch_bytes_max + (64 << 10);
  auto opened = log::open(files_, directory_.log_directory(), how, hints);
  if (!opened)
    return opened.error();
  log_ = std::move(*opened);
  tell(to_string(log_->report()));
  return {};
}

std::optional<position> partition_storage::trusted_position() {
  // Only a look, so that the log need not be verified before it.
  auto found = read_stamp(files_, directory_.stamp_file());
  if (!found
      || judge(*found, directory_.identity().log, boot_,
               state_identity(files_, directory_))
           != distrust_reason::none)
    return std::nullopt;
  auto state = state_store::open(
    directory_.state_directory(),
    {.access = state_access::read_only, .map_bytes = options_.map_bytes});
  if (!state)
    return std::nullopt;
  auto book = load_bookkeeping(**state);
  if (!book || !book->last_applied)
    return std::nullopt;
  return book->last_applied;
}

log_extent partition_storage::extent() const {
  return {log_->first_position(), log_->last_position()};
}

result<void> partition_storage::open_state() {
  auto recovered = recover_state(files_, directory_, boot_, extent());
  if (!recovered)
    return recovered.error();
  if (recovered->origin == state_origin::kept)
    return open_kept_state();
  return open_rebuilt_state(*recovered);
}

result<void> partition_storage::open_kept_state() {
  auto opened = state_store::open(directory_.state_directory(),
                                  {.map_bytes = options_.map_bytes});
  if (!opened)
    return opened.error();
  state_ = std::move(*opened);
  auto book = bookkeeping();
  if (!book)
    return book.error();
  auto is_ours = log_has(*book);
  if (!is_ours)
    return is_ours.error();
  if (*is_ours)
    return {};
  tell("state is ahead of the log or of another one: rebuilt");
  state_ = nullptr;
  auto rebuilt = rebuild_state(files_, directory_, extent());
  if (!rebuilt)
    return rebuilt.error();
  return open_rebuilt_state(*rebuilt);
}

result<void>
partition_storage::open_rebuilt_state(const recovered_state& from) {
  if (from.reason != distrust_reason::none
      && from.reason != distrust_reason::no_stamp)
    tell("state is not trusted (" + to_string(from.reason) + "): rebuilt");
  for (const auto& what : from.passed_over)
    tell("snapshot passed over: " + to_string(what));
  auto opened = state_store::open(directory_.state_directory(),
                                  {.map_bytes = options_.map_bytes});
  if (!opened)
    return opened.error();
  state_ = std::move(*opened);
  return stamp_opened(files_, directory_, boot_);
}

result<bool> partition_storage::log_has(const state_bookkeeping& book) {
  if (!book.last_applied)
    return log_->first_position() == position{1};
  if (book.last_applied == log_->last_position())
    return book.chain == log_->chain();
  if (book.last_applied > log_->last_position())
    return false;
  auto reader = log_reader::open(files_, log_->directory(),
                                 directory_.identity().log, book.last_applied);
  if (!reader)
    return reader.error().code == errc::not_found ? result<bool>{false}
                                                  : reader.error();
  auto frame = (*reader)->next(log_->last_position());
  if (!frame)
    return frame.error();
  return *frame && (*frame)->header.last() == book.last_applied
         && (*frame)->header.checksum == book.chain;
}

void partition_storage::tell(const std::string& line) {
  if (line.empty())
    return;
  if (!report_.empty())
    report_ += "; ";
  report_ += line;
}

} // namespace gnomon::partitions
