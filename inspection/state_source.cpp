#include "inspection/state_source.hpp"

#include "gnomon/check.hpp"
#include "storage/segment.hpp"
#include "storage/snapshot_store.hpp"

#include "inspection/log_access.hpp"

namespace gnomon::inspection {

using namespace storage;

result<distrust_reason> judge_state(file_system& files,
                                    const partition_folder& folder, log_id id) {
  auto found = read_stamp(files, folder.stamp_file());
  if (!found)
    return found.error();
  auto boot = current_boot_id(files);
  if (!boot)
    return boot.error();
  std::optional<file_identity> state_file;
  if (auto there = files.identity(folder.state_directory() / state_file_name))
    state_file = *there;
  return judge(*found, id, *boot, state_file);
}

result<std::unique_ptr<state_store>>
open_own_state(const partition_folder& folder) {
  return state_store::open(folder.state_directory(),
                           {.access = state_access::read_only});
}

namespace {

result<state_view> view_of(state_store& state) {
  auto reader = state.reader();
  if (!reader)
    return reader.error();
  auto book = bookkeeping::load(**reader);
  if (!book)
    return book.error();
  return state_view{std::move(*reader), book->value_or(state_bookkeeping{})};
}

} // namespace

result<state_source> state_source::open(file_system& files,
                                        const partition_folder& folder,
                                        log_id id, const path& scratch,
                                        progress& watcher) {
  state_source opened;
  const auto reason = judge_state(files, folder, id);
  if (!reason)
    return reason.error();
  if (*reason == distrust_reason::none) {
    auto own = open_own_state(folder);
    if (!own)
      return own.error();
    opened.own_ = std::move(*own);
    auto shown = opened.view();
    if (!shown)
      return shown.error();
    const auto is_ours = has_frame_of(files, folder, id, shown->book);
    if (!is_ours)
      return is_ours.error();
    if (*is_ours)
      return opened;
  }
  opened.rebuilt_because_ = *reason == distrust_reason::none
                              ? "it is not of this log"
                              : "it is not trusted: " + to_string(*reason);
  opened.own_ = nullptr;
  if (auto done = opened.rebuild(files, folder, id, scratch, watcher); !done)
    return done.error();
  return opened;
}

result<void> state_source::rebuild(file_system& files,
                                   const partition_folder& folder, log_id id,
                                   const path& scratch, progress& watcher) {
  auto made = scratch_folder::create(scratch);
  if (!made)
    return made.error();
  folder_.emplace(std::move(*made));
  auto base = choose_base(files, folder, id, position_max);
  if (!base)
    return base.error();
  auto begun = log_replay::begin(files, folder, id, *base, folder_->location());
  if (!begun)
    return begun.error();
  replayed_ = std::move(*begun);
  return replayed_->run_to(read_all_written, watcher);
}

result<state_view> state_source::view() {
  GNOMON_CHECK(own_ != nullptr || replayed_ != nullptr);
  return view_of(own_ ? *own_ : replayed_->state());
}

std::string state_source::lacking() const {
  if (!replayed_ || replayed_->foreign_types().empty())
    return {};
  std::string types;
  for (const auto type : replayed_->foreign_types())
    types += (types.empty() ? "" : ", ")
             + std::to_string(static_cast<std::uint16_t>(type));
  return "the application's own column families: its appliers for value types "
         + types + " are not known here";
}

result<position> choose_base(file_system& files, const partition_folder& folder,
                             log_id id, position end) {
  auto segments = list_segments(files, folder.log_directory());
  if (!segments)
    return segments.error();
  snapshot_store snapshots{files, folder.snapshots_directory(), id};
  auto all = snapshots.list();
  if (!all)
    return all.error();
  std::string tried;
  for (auto at = all->rbegin(); at != all->rend(); ++at) {
    if (*at > end || segments->empty() || at->next() < segments->front())
      continue;
    auto verified = snapshots.verify(*at);
    if (verified)
      return *at;
    tried += "; " + to_string(verified.error());
  }
  if (segments->empty() || segments->front() == position{1})
    return position{};
  return {errc::not_recoverable, "make the state of " + folder.location.string()
                                   + ": the log begins at position "
                                   + std::to_string(segments->front().value)
                                   + " and no snapshot can be used" + tried};
}

} // namespace gnomon::inspection
