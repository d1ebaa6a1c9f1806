#include "inspection/verifier.hpp"

#include "inspection/log_access.hpp"
#include "inspection/state_comparison.hpp"
#include "inspection/state_source.hpp"
#include <algorithm>

namespace gnomon::inspection {

using namespace storage;

namespace {

/// Returns which kind of damage an error of the log stands for, if one.
std::optional<damage> damage_of(errc code) {
  switch (code) {
  case errc::corrupted:
    return damage::log_corrupted;
  case errc::lost_data:
    return damage::lost_data;
  case errc::missing_segment:
    return damage::missing_segment;
  case errc::two_writers:
    return damage::two_writers;
  case errc::format_too_new:
    return damage::format_too_new;
  case errc::wrong_identity:
    return damage::identity;
  case errc::not_recoverable:
    return damage::not_recoverable;
  default:
    return std::nullopt;
  }
}

} // namespace

verifier::verifier(file_system& files, const partition_folder& folder,
                   const path& scratch, progress& watcher)
  : files_(files), folder_(folder), scratch_(scratch), watcher_(watcher) {
  outcome_.id = folder.id;
}

result<verification> verifier::run() {
  const auto identity = identify(files_, folder_);
  if (!identity) {
    const auto code = identity.error().code;
    find(code == errc::format_too_new ? damage::format_too_new
                                      : damage::identity,
         identity.error().context);
    return std::move(outcome_);
  }
  id_ = identity->log;
  auto made = scratch_folder::create(scratch_);
  if (!made)
    return made.error();
  copies_.emplace(std::move(*made));
  for (const auto step : {&verifier::look_at_log, &verifier::look_at_records,
                          &verifier::look_at_snapshots,
                          &verifier::look_at_state, &verifier::look_at_replay})
    if (const auto done = (this->*step)(); !done)
      return done.error();
  return std::move(outcome_);
}

void verifier::find(damage kind, const std::string& what) {
  outcome_.findings.push_back({kind, what});
}

result<void> verifier::judge(const error& what) {
  const auto kind = damage_of(what.code);
  if (!kind)
    return what;
  find(*kind, what.context);
  return {};
}

// -- log ----------------------------------------------------------------------

position verifier::durable_at_least() {
  position known;
  snapshot_store snapshots{files_, folder_.snapshots_directory(), id_};
  // A damaged one is found later; here it only proves nothing.
  if (const auto named = snapshots.durable_position())
    known = *named;
  const auto stamp = read_stamp(files_, folder_.stamp_file());
  if (stamp && *stamp && (*stamp)->log == id_)
    known = std::max(known, (*stamp)->durable);
  return known;
}

result<void> verifier::look_at_log() {
  watcher_.report("check the frames", 0, 1);
  auto survey = survey_log(files_, folder_.log_directory(), id_,
                           {.durable_at_least = durable_at_least()});
  if (!survey)
    return judge(survey.error());
  outcome_.last = survey->last;
  outcome_.frames = survey->frames_verified;
  if (survey->torn_bytes > 0)
    outcome_.notes.push_back(
      std::to_string(survey->torn_bytes)
      + " bytes behind the last frame were never acknowledged");
  log_ = std::move(*survey);
  return {};
}

result<void> verifier::look_at_records() {
  if (!log_ || log_->segments.empty())
    return {};
  auto reader = read_log(files_, folder_, id_, {});
  if (!reader)
    return reader.error();
  const auto see = [&](const typed_record& met) -> result<bool> {
    ++outcome_.records;
    if (static_cast<std::uint16_t>(met.value_type) >= user_value_types_begin
        && met.record_type == record_type::event)
      outcome_.foreign_types.insert(met.value_type);
    return true;
  };
  while ((*reader)->last_position() < log_->last) {
    const auto frame = (*reader)->next(log_->last);
    if (!frame)
      return judge(frame.error());
    if (!*frame)
      break;
    if (const auto seen = visit_records(**frame, see); !seen) {
      find(seen.error().code == errc::format_too_new ? damage::format_too_new
                                                     : damage::record,
           seen.error().context);
      log_.reset();
      return {};
    }
    watcher_.report("read the records", (*frame)->header.last().value,
                    log_->last.value);
  }
  return {};
}

// -- snapshots ----------------------------------------------------------------

result<void> verifier::look_at_snapshots() {
  snapshot_store snapshots{files_, folder_.snapshots_directory(), id_};
  const auto all = snapshots.list();
  if (!all)
    return all.error();
  std::uint64_t done = 0;
  for (const auto at : *all) {
    watcher_.report("check the snapshots", done++, all->size());
    if (auto looked = look_at_snapshot(at); !looked)
      return looked;
  }
  return {};
}

result<void> verifier::look_at_snapshot(position at) {
  snapshot_store snapshots{files_, folder_.snapshots_directory(), id_};
  const auto manifest = snapshots.verify(at);
  if (manifest)
    return look_into_snapshot(*manifest);
  const auto there = files_.exists(snapshots.location(at));
  // Retired by the running partition meanwhile.
  if (there && !*there)
    return {};
  const auto code = manifest.error().code;
  if (code == errc::format_too_new)
    return judge(manifest.error());
  find(damage::snapshot, to_string(manifest.error()));
  return {};
}

result<void> verifier::look_into_snapshot(const snapshot_manifest& expected) {
  snapshot_store snapshots{files_, folder_.snapshots_directory(), id_};
  const auto where = snapshots.location(expected.position());
  auto state = state_store::open(where, {.access = state_access::sealed_copy});
  if (!state)
    return state.error();
  const auto view = (*state)->reader();
  if (!view)
    return view.error();
  const auto book = bookkeeping::load(**view);
  if (!book || !*book || **book != expected.bookkeeping)
    find(damage::snapshot,
         where.string() + ": its bookkeeping is not that of its manifest");
  for (const auto& [family, count] : expected.counts)
    if ((*view)->count(family) != count)
      find(damage::snapshot, where.string() + ": column family "
                               + std::to_string(family.id) + " has "
                               + std::to_string((*view)->count(family))
                               + " entries, not " + std::to_string(count));
  const auto has_log = log_ && !log_->segments.empty()
                       && expected.position() >= log_->segments.front();
  if (has_log) {
    const auto is_ours
      = has_frame_of(files_, folder_, id_, expected.bookkeeping);
    if (!is_ours)
      return judge(is_ours.error());
    if (!*is_ours)
      find(damage::snapshot, where.string() + ": the log has no such frame");
  }
  outcome_.snapshots.push_back(expected.position());
  milestones_.push_back({expected.position(), milestone_kind::snapshot, where});
  return {};
}

// -- state --------------------------------------------------------------------

result<void> verifier::look_at_state() {
  const auto reason = judge_state(files_, folder_, id_);
  if (!reason)
    return judge(reason.error());
  if (*reason == distrust_reason::none)
    return copy_state();
  outcome_.notes.push_back("the state is not trusted ("
                           + storage::to_string(*reason)
                           + ") and was not opened: opening the partition "
                             "makes it anew");
  return {};
}

/// A view that lives as long as a replay would keep pages of a running
/// partition from being used again.
result<void> verifier::copy_state() {
  const auto where = copies_->location() / "own";
  if (auto done = files_.create_directories(where); !done)
    return done;
  {
    watcher_.report("copy the state", 0, 1);
    auto own = open_own_state(folder_);
    if (!own)
      return own.error();
    if (auto done = (*own)->copy_to(where / state_file_name); !done)
      return done;
  }
  auto copy = state_store::open(where, {.access = state_access::sealed_copy});
  if (!copy)
    return copy.error();
  const auto view = (*copy)->reader();
  if (!view)
    return view.error();
  const auto book = bookkeeping::load(**view);
  if (!book) {
    find(damage::state_differs, book.error().context);
    return {};
  }
  const auto standing = book->value_or(state_bookkeeping{});
  const auto is_ours = has_frame_of(files_, folder_, id_, standing);
  if (!is_ours)
    return log_ ? judge(is_ours.error()) : result<void>{};
  if (!*is_ours) {
    find(damage::state_differs,
         "the log has no frame for the position of the state, "
           + std::to_string(standing.last_applied.value));
    return {};
  }
  milestones_.push_back(
    {standing.last_applied, milestone_kind::own_state, where});
  return {};
}

} // namespace gnomon::inspection
