#include "storage/snapshot_store.hpp"

#include "gnomon/check.hpp"
#include "storage/checked_file.hpp"
#include "storage/file_hash.hpp"
#include "storage/ports/bookkeeping.hpp"
#include "storage/state_content.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace gnomon::storage {

namespace {

constexpr checked_file_format format{"GNMSNAPS", 1};
constexpr std::size_t position_digits = 20;
constexpr const char* manifest_name = "manifest";
constexpr const char* copy_name = "copy.tmp";

std::string to_name(position at) {
  const auto digits = std::to_string(at.value);
  return std::string(position_digits - digits.size(), '0') + digits;
}

// Returns "no record" for the name of anything else.
position parse_name(const std::string& name) {
  std::uint64_t value = 0;
  const auto* end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data(), end, value);
  if (name.size() != position_digits || code != std::errc{} || stop != end)
    return {};
  return {value};
}

error damaged(const path& where, const std::string& how) {
  return {errc::corrupted, "verify snapshot " + where.string() + ": " + how};
}

result<snapshot_manifest> read_manifest(file_system& files, const path& where) {
  auto body = read_checked(files, where / manifest_name, format);
  if (!body && body.error().code == errc::not_found)
    return damaged(where, "there is no manifest");
  if (!body)
    return body.error();
  auto manifest = decode_manifest(*body);
  if (!manifest)
    return damaged(where, manifest.error().context);
  return manifest;
}

// Walks all entries: a number in a header would not show a broken page.
result<std::vector<family_count>> count_entries(const state_reader& state) {
  std::vector<family_count> counts;
  auto visited
    = visit_content(state, [&](column_family family, bytes_view, bytes_view) {
        if (counts.empty() || counts.back().family != family)
          counts.push_back({family, 0});
        ++counts.back().count;
        return true;
      });
  if (!visited)
    return visited.error();
  for (const auto& [family, count] : counts)
    if (count != state.count(family))
      return {errc::corrupted,
              "count column family " + std::to_string(family.id) + ": expected "
                + std::to_string(state.count(family)) + " entries, but found "
                + std::to_string(count)};
  return counts;
}

// Reads bookkeeping and counts out of a copied state.
result<snapshot_manifest> look_into(const path& where) {
  auto copied = state_store::open(where, {.access = state_access::sealed_copy});
  if (!copied)
    return copied.error();
  auto view = (*copied)->reader();
  if (!view)
    return view.error();
  auto standing = bookkeeping::load(**view);
  if (!standing)
    return standing.error();
  if (!*standing)
    return {errc::invalid_state, "copy state: nothing was ever applied"};
  auto counts = count_entries(**view);
  if (!counts)
    return counts.error();
  snapshot_manifest found;
  found.bookkeeping = **standing;
  found.counts = *std::move(counts);
  return found;
}

result<void> sync_file(file_system& files, const path& name) {
  auto opened = files.open(name, open_mode::existing);
  if (!opened)
    return opened.error();
  return (*opened)->sync();
}

} // namespace

snapshot_store::snapshot_store(file_system& files, path directory, log_id log)
  : files_(&files), directory_(std::move(directory)), log_(log) {
  GNOMON_CHECK(static_cast<bool>(log_));
}

path snapshot_store::location(position at) const {
  return directory_ / to_name(at);
}

// -- making -------------------------------------------------------------------

result<void> snapshot_store::drop_copy() {
  return files_->remove_all(directory_ / copy_name);
}

result<snapshot_manifest> snapshot_store::copy(state_store& state) {
  const auto where = directory_ / copy_name;
  if (auto done = drop_copy(); !done)
    return done.error();
  if (auto done = files_->create_directories(where); !done)
    return done.error();
  if (auto done = state.copy_to(where / state_file_name); !done)
    return done.error();
  auto described = describe(where);
  if (!described)
    return described;
  if (auto done = sync_file(*files_, where / state_file_name); !done)
    return done.error();
  if (auto done = write_checked(*files_, where / manifest_name, format,
                                encode(*described));
      !done)
    return done.error();
  return verify_in(where);
}

result<snapshot_manifest> snapshot_store::describe(const path& where) {
  auto found = look_into(where);
  if (!found)
    return found;
  auto sum = hash_file(*files_, where / state_file_name);
  if (!sum)
    return sum.error();
  found->log = log_;
  found->file_bytes = sum->size;
  found->file_hash = sum->hash;
  return found;
}

result<void> snapshot_store::publish(position at, position durable) {
  const auto where = directory_ / copy_name;
  if (durable < at)
    return {errc::invalid_state,
            "publish snapshot " + to_name(at)
              + ": expected the log to be durable there, but it is up to "
              + std::to_string(durable.value)};
  auto copied = read_manifest(*files_, where);
  if (!copied)
    return copied.error();
  if (copied->position() != at)
    return {errc::invalid_state, "publish snapshot " + to_name(at)
                                   + ": the copy is of "
                                   + to_name(copied->position())};
  auto there = files_->exists(location(at));
  if (!there)
    return there.error();
  if (*there && verify(at)) {
    if (auto done = drop_copy(); !done)
      return done;
    return files_->sync_directory(directory_);
  }
  if (*there)
    if (auto done = remove_snapshot(at); !done)
      return done;
  if (auto done = files_->rename(where, location(at)); !done)
    return done;
  return files_->sync_directory(directory_);
}

// -- keeping ------------------------------------------------------------------

// Renamed first, so that a crash leaves no half of it under its name.
result<void> snapshot_store::remove_snapshot(position at) {
  const auto aside = directory_ / (to_name(at) + ".tmp");
  if (auto done = files_->remove_all(aside); !done)
    return done;
  if (auto done = files_->rename(location(at), aside); !done)
    return done;
  return files_->remove_all(aside);
}

result<snapshot_retirement> snapshot_store::retire() {
  auto all = list();
  if (!all)
    return all.error();
  snapshot_retirement done;
  for (auto at = all->rbegin(); at != all->rend(); ++at) {
    if (done.kept.size() < kept_count) {
      auto verified = verify(*at);
      if (verified) {
        done.kept.insert(done.kept.begin(), *at);
        continue;
      }
      if (verified.error().code != errc::corrupted)
        return verified.error();
      done.damaged.push_back(verified.error());
    }
    if (auto removed = remove_snapshot(*at); !removed)
      return removed.error();
  }
  if (auto synced = files_->sync_directory(directory_); !synced)
    return synced.error();
  if (done.kept.size() < kept_count)
    return done;
  auto oldest = manifest(done.kept.front());
  if (!oldest)
    return oldest.error();
  // Commands logged, but not processed when it was taken, are in the log only.
  done.compact_below
    = std::min(oldest->position(), oldest->bookkeeping.last_processed.next());
  return done;
}

result<std::vector<position>> snapshot_store::list() {
  auto names = files_->list(directory_);
  if (!names)
    return names.error();
  std::vector<position> found;
  for (const auto& name : *names)
    if (const auto at = parse_name(name))
      found.push_back(at);
  std::sort(found.begin(), found.end());
  return found;
}

result<position> snapshot_store::durable_position() {
  auto all = list();
  if (!all)
    return all.error();
  for (auto at = all->rbegin(); at != all->rend(); ++at) {
    auto found = manifest(*at);
    if (found)
      return *at;
    if (found.error().code != errc::corrupted)
      return found.error();
  }
  return position{};
}

// -- reading ------------------------------------------------------------------

result<snapshot_manifest> snapshot_store::manifest(position at) {
  auto found = read_manifest(*files_, location(at));
  if (!found)
    return found;
  if (found->log != log_)
    return {errc::wrong_identity, "read snapshot " + location(at).string()
                                    + ": it is of another log"};
  if (found->position() != at)
    return damaged(location(at), "it is of position "
                                   + std::to_string(found->position().value));
  return found;
}

result<snapshot_manifest> snapshot_store::verify_in(const path& where) {
  auto found = read_manifest(*files_, where);
  if (!found)
    return found;
  auto sum = hash_file(*files_, where / state_file_name);
  if (!sum && sum.error().code == errc::not_found)
    return damaged(where, "there is no state in it");
  if (!sum)
    return sum.error();
  if (sum->size != found->file_bytes)
    return damaged(where, "expected " + std::to_string(found->file_bytes)
                            + " bytes, but found " + std::to_string(sum->size));
  if (sum->hash != found->file_hash)
    return damaged(where, "checksum of the state does not match");
  return found;
}

result<snapshot_manifest> snapshot_store::verify(position at) {
  if (auto found = manifest(at); !found)
    return found;
  return verify_in(location(at));
}

result<snapshot_manifest> snapshot_store::restore(position at,
                                                  const path& state_directory) {
  auto found = manifest(at);
  if (!found)
    return found;
  if (auto done = files_->create_directories(state_directory); !done)
    return done.error();
  const auto target = state_directory / state_file_name;
  const auto tmp = state_directory / (std::string{state_file_name} + ".tmp");
  auto sum = copy_file(*files_, location(at) / state_file_name, tmp);
  if (!sum)
    return sum.error();
  // What was copied is compared, not what an earlier reading found.
  if (sum->size != found->file_bytes || sum->hash != found->file_hash)
    return damaged(location(at), "checksum of the state does not match");
  if (auto done = files_->rename(tmp, target); !done)
    return done.error();
  if (auto done = files_->sync_directory(state_directory); !done)
    return done.error();
  if (auto done = files_->sync_directory(state_directory.parent_path()); !done)
    return done.error();
  return found;
}

} // namespace gnomon::storage
