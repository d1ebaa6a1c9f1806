// How exporters attach, and their positions.

#include "actors/partition_requests.hpp"

#include <algorithm>
#include <exception>

namespace gnomon {

namespace {

constexpr std::size_t batch_bytes_default = 1 << 20;
constexpr std::uint32_t batches_default = 4;
constexpr std::uint32_t batches_limit = 1'000;
constexpr std::size_t batch_bytes_limit = 64 << 20;

constexpr const char* lag_reason = "it lags more than exporter_lag_bytes_max";

} // namespace

// -- attaching ----------------------------------------------------------------

void partition_exports::attach(const v1::AttachExporter& request,
                               const exporter& from, attach_promise to) {
  auto& link = links_[request.name()];
  const auto first = self_.core_->storage().log().first_position();
  const auto is_new = link == nullptr;
  if (is_new) {
    link = std::make_shared<export_link>();
    link->name = request.name();
    link->channel.restart_behind({first.value - 1});
  }
  const auto at = link->channel.acknowledged();
  if (at.next() < first && !request.accept_gap()) {
    to.deliver(
      to_caf({errc::lost_data,
              "attach " + link->name + ": expected records from "
                + std::to_string(at.value + 1) + " on, but the log begins at "
                + std::to_string(first.value)}));
    return;
  }
  take(*link, request, from);
  link->channel.restart_behind(std::max(at, position{first.value - 1}));
  keep_position(link, [this, to, link](const result<void>& done) mutable {
    if (!done) {
      link->whom = nullptr;
      to.deliver(to_caf(done.error()));
      return;
    }
    v1::AttachReply reply;
    reply.set_acknowledged_position(link->channel.acknowledged().value);
    to.deliver(attach_reply{{wire_version, reply.SerializeAsString()}});
    pump(link);
  });
}

void partition_exports::take(export_link& link,
                             const v1::AttachExporter& request,
                             const exporter& from) {
  if (link.whom != from)
    self_.watch(from);
  link.whom = from;
  link.value_types.clear();
  for (const auto type : request.value_types())
    link.value_types.insert(static_cast<value_type>(type));
  link.batch_bytes_max = std::min<std::size_t>(request.batch_bytes_max() == 0
                                                 ? batch_bytes_default
                                                 : request.batch_bytes_max(),
                                               batch_bytes_limit);
  const auto batches = std::min(
    request.batches_max() == 0 ? batches_default : request.batches_max(),
    batches_limit);
  link.channel.limit({batches, batches * link.batch_bytes_max});
  link.source = nullptr;
  link.detached_reason.clear();
  link.is_waiting = false;
  link.retry_delay = self_.options_.exporter_retry_delay;
}

void partition_exports::forget(const caf::actor_addr& gone) {
  for (auto& [name, link] : links_) {
    if (!link->whom || link->whom.address() != gone)
      continue;
    link->whom = nullptr;
    link->channel.restart();
    if (self_.core_ && !self_.is_closing_)
      keep_position(link, nullptr);
  }
}

void partition_exports::remove(const std::string& name, control_promise to) {
  const auto found = links_.find(name);
  if (found == links_.end()) {
    to.deliver(to_caf(
      {errc::not_found, "forget exporter \"" + name + "\": it is unknown"}));
    return;
  }
  detach(*found->second, "it was forgotten");
  links_.erase(found);
  auto outcome = std::make_shared<result<void>>();
  // Behind positions of it that are still being kept.
  self_.run_beside(
    self_.export_disk(),
    [outcome, name, files = files()]() mutable {
      *outcome = files.remove(name);
    },
    [to, outcome]() mutable {
      if (*outcome)
        to.deliver(control_reply{});
      else
        to.deliver(to_caf(outcome->error()));
    });
}

// -- positions ----------------------------------------------------------------

void partition_exports::keep_position(
  const link_ptr& link, std::function<void(const result<void>&)> then) {
  // An attachment waits for its own turn; others are content with a later one.
  if (!then && (link->is_keeping || !links_.contains(link->name)))
    return;
  link->is_keeping = true;
  const auto what = link->to_keep();
  const auto bytes = link->channel.bytes_acknowledged();
  auto outcome = std::make_shared<result<void>>();
  self_.run_beside(
    self_.export_disk(),
    [outcome, what, name = link->name, files = files()]() mutable {
      *outcome = files.write(name, what);
    },
    [link, what, bytes, outcome, then] {
      link->is_keeping = false;
      if (*outcome) {
        link->kept = what;
        link->bytes_kept = bytes;
      } else {
        log_line(CAF_LOG_LEVEL_ERROR, to_string(outcome->error()));
      }
      if (then)
        then(*outcome);
    });
}

exporters::position_files partition_exports::files() const {
  const auto& directory = self_.core_->storage().directory();
  return {*self_.environment_.files, directory.location(),
          directory.identity().log};
}

void partition_exports::keep_positions() {
  for (auto& [name, link] : links_)
    if (link->kept != link->to_keep())
      keep_position(link, nullptr);
}

std::function<void()> partition_exports::last_positions() {
  std::vector<std::pair<std::string, exporters::kept_position>> all;
  for (const auto& [name, link] : links_)
    if (link->kept != link->to_keep())
      all.emplace_back(name, link->to_keep());
  if (!self_.core_ || all.empty())
    return [] {
    };
  return [all, files = files()]() mutable {
    // At worst records are repeated.
    for (const auto& [name, what] : all)
      static_cast<void>(files.write(name, what));
  };
}

void partition_exports::restore(const exporters::position_files::found& kept) {
  for (const auto& why : kept.damaged)
    log_line(CAF_LOG_LEVEL_ERROR, to_string(why));
  const auto last = self_.core_->durable_position();
  for (const auto& [name, position_kept] : kept.positions) {
    auto& link = links_[name];
    if (link)
      continue;
    link = std::make_shared<export_link>();
    link->name = name;
    link->kept = position_kept;
    if (position_kept.is_detached)
      link->detached_reason = "it was detached before";
    // Behind the end means that the log is an older copy: nothing is known.
    if (position_kept.acknowledged <= last)
      link->channel.restart_behind(position_kept.acknowledged);
    else
      log_line(CAF_LOG_LEVEL_ERROR,
               "exporter " + name + ": its position is not in the log");
  }
  for (auto& [name, link] : links_) {
    link->source = nullptr;
    link->channel.restart();
  }
}

position partition_exports::compact_below(position wanted) {
  for (auto& [name, link] : links_) {
    if (!link->detached_reason.empty())
      continue;
    // One that is new has nothing on disk yet.
    const auto needed = std::max(link->kept.acknowledged.next(),
                                 self_.core_->storage().log().first_position());
    if (needed < wanted
        && lag_bytes(needed) > self_.options_.exporter_lag_bytes_max) {
      detach(*link, lag_reason);
      keep_position(link, nullptr);
    } else {
      wanted = std::min(wanted, needed);
    }
  }
  return wanted;
}

std::uint64_t partition_exports::lag_bytes(position from) const {
  const auto& segments = self_.core_->storage().log().segments();
  const auto whole = std::ranges::count_if(
    segments, [from](position first) { return first > from; });
  return static_cast<std::uint64_t>(whole) * self_.options_.segment_bytes;
}

void partition_exports::describe(v1::Status& to) const {
  for (const auto& [name, link] : links_) {
    auto& one = *to.add_exporters();
    one.set_name(name);
    one.set_acknowledged_position(link->channel.acknowledged().value);
    one.set_attached(link->whom != nullptr);
    one.set_detached_reason(link->detached_reason);
    one.set_unacknowledged_batches(
      static_cast<std::uint32_t>(link->channel.unacknowledged_batches()));
    one.set_unacknowledged_bytes(link->channel.unacknowledged_bytes());
    one.set_failures(link->failures);
  }
}

} // namespace gnomon
