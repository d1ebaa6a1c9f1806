// The last step of a verification: replay, and comparison with what is there.

#include "inspection/log_access.hpp"
#include "inspection/state_comparison.hpp"
#include "inspection/verifier.hpp"
#include <algorithm>

namespace gnomon::inspection {

using namespace storage;

namespace {

std::string to_text(const std::set<value_type>& types) {
  std::string text;
  for (const auto type : types)
    text += (text.empty() ? "" : ", ")
            + std::to_string(static_cast<std::uint16_t>(type));
  return text;
}

} // namespace

result<void> verifier::look_at_replay() {
  if (!log_) {
    outcome_.notes.push_back("not replayed, since the log is damaged");
    return {};
  }
  if (log_->segments.empty())
    return {};
  // A snapshot may have the position of the state; it comes first then.
  std::ranges::stable_sort(milestones_, {}, &milestone::at);
  if (log_->segments.front() == position{1})
    return replay_from({});
  for (const auto at : outcome_.snapshots)
    if (at.next() >= log_->segments.front())
      return replay_from(at);
  find(damage::not_recoverable, folder_.location.string()
                                  + ": the log begins at position "
                                  + std::to_string(log_->segments.front().value)
                                  + ", and no snapshot goes before");
  return {};
}

result<void> verifier::replay_from(position base) {
  outcome_.replayed_from = base;
  auto replayed
    = log_replay::begin(files_, folder_, id_, base, copies_->location());
  if (!replayed)
    return replayed.error();
  const auto fail = [&](const error& what) -> result<void> {
    const auto is_damage
      = what.code == errc::corrupted || what.code == errc::processing_failed;
    if (!is_damage)
      return judge(what);
    find(damage::record, "replay: " + what.context);
    return {};
  };
  for (const auto& each : milestones_) {
    const auto is_base
      = each.at == base && each.kind == milestone_kind::snapshot;
    if (each.at < base || is_base)
      continue;
    if (auto done = (*replayed)->run_to(each.at, watcher_); !done)
      return fail(done.error());
    if (auto done = compare(each, **replayed); !done)
      return done;
  }
  if (auto done = (*replayed)->run_to(log_->last, watcher_); !done)
    return fail(done.error());
  if (const auto& foreign = (*replayed)->foreign_types(); !foreign.empty())
    outcome_.notes.push_back(
      "the application's own column families and the due index were not "
      "compared: replay is not possible for value types "
      + to_text(foreign) + ", whose appliers are not known here");
  return {};
}

result<void> verifier::compare(const milestone& with, log_replay& replayed) {
  const auto is_own = with.kind == milestone_kind::own_state;
  const auto kind = is_own ? damage::state_differs : damage::snapshot;
  const auto name
    = (is_own ? "the state at " : "snapshot ") + std::to_string(with.at.value);
  if (replayed.bookkeeping().last_applied != with.at) {
    find(kind, name + ": no frame ends at its position");
    return {};
  }
  auto state
    = state_store::open(with.directory, {.access = state_access::sealed_copy});
  if (!state)
    return state.error();
  const auto found = (*state)->reader();
  if (!found)
    return found.error();
  const auto expected = replayed.state().reader();
  if (!expected)
    return expected.error();
  const auto difference = find_difference(**expected, **found,
                                          replayed.foreign_types().empty()
                                            ? comparison::everything
                                            : comparison::library_only);
  if (!difference)
    return difference.error();
  if (*difference)
    find(kind, name + " differs from replay: " + **difference);
  if (is_own)
    outcome_.compared_at = with.at;
  return {};
}

} // namespace gnomon::inspection
