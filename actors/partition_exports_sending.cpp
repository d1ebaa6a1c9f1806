// Reading beside the log, and handing batches to exporters.

#include "actors/partition_actor.hpp"

#include <algorithm>
#include <optional>

namespace gnomon {

// -- sending ------------------------------------------------------------------

void partition_exports::pump() {
  for (auto& [name, link] : links_)
    pump(link);
}

void partition_exports::pump(const link_ptr& link) {
  if (!self_.core_ || self_.is_closing_ || !link->whom || link->is_waiting)
    return;
  const auto durable = self_.core_->durable_position();
  const auto order = link->channel.begin_read(durable);
  if (!order)
    return;
  if (!link->source)
    link->source = make_source(*link);
  auto outcome
    = std::make_shared<std::optional<result<exporters::source_batch>>>();
  self_.run(
    self_.export_disk(),
    [source = link->source, order, durable, outcome] {
      outcome->emplace(source->read(order->from, durable));
    },
    [this, link, order, outcome](const error* why) {
      if (!why && **outcome)
        send(link, *order, ***outcome);
      else
        read_failed(link, *order, why ? *why : (*outcome)->error());
    });
}

std::shared_ptr<exporters::record_source>
partition_exports::make_source(const export_link& link) {
  auto& storage = self_.core_->storage();
  return std::make_shared<exporters::record_source>(
    *self_.environment_.files,
    exporters::source_options{.log_directory
                              = storage.directory().log_directory(),
                              .log = storage.directory().identity().log,
                              .partition = self_.options_.id,
                              .value_types = link.value_types,
                              .batch_bytes_max = link.batch_bytes_max});
}

void partition_exports::send(const link_ptr& link, const read_order& order,
                             exporters::source_batch& batch) {
  const auto number = link->channel.end_read(
    order, {batch.last, batch.records, batch.content.size()});
  if (number && link->whom)
    mail_as(&self_, export_batch{{wire_version, std::move(batch.content)}})
      .request(link->whom, caf::infinite)
      .then([this, link,
             number](const export_reply&) { acknowledged(link, *number); },
            [this, link, number](const caf::error& why) {
              if (link->channel.expects(*number))
                retry(link, to_string(why));
            });
  pump(link);
}

void partition_exports::read_failed(const link_ptr& link,
                                    const read_order& order, const error& why) {
  if (!link->channel.is_current(order))
    return;
  if (why.code == errc::not_found)
    detach(*link, "records it has not got are gone");
  else
    retry(link, to_string(why));
}

void partition_exports::acknowledged(const link_ptr& link,
                                     std::uint64_t number) {
  link->channel.acknowledge(number);
  link->retry_delay = self_.options_.exporter_retry_delay;
  const auto grown = link->channel.bytes_acknowledged() - link->bytes_kept;
  if (self_.core_ && !self_.is_closing_
      && grown >= self_.options_.exporter_repeat_bytes_max)
    keep_position(link, nullptr);
  pump(link);
}

void partition_exports::retry(const link_ptr& link, const std::string& why) {
  ++link->failures;
  log_line(CAF_LOG_LEVEL_WARNING, "exporter " + link->name + ": " + why);
  link->channel.restart();
  link->source = nullptr;
  if (link->is_waiting)
    return;
  link->is_waiting = true;
  mail_as(&self_, resume_export{link->name})
    .delay(caf::timespan{link->retry_delay})
    .send(partition_impl{&self_});
  link->retry_delay
    = std::min(link->retry_delay * 2, self_.options_.exporter_retry_delay_max);
}

void partition_exports::resume(const std::string& exporter_name) {
  const auto found = links_.find(exporter_name);
  if (found == links_.end())
    return;
  found->second->is_waiting = false;
  pump(found->second);
}

void partition_exports::detach(export_link& link, const std::string& reason) {
  log_line(CAF_LOG_LEVEL_ERROR,
           "exporter " + link.name + " is detached: " + reason);
  link.detached_reason = reason;
  link.channel.restart();
  ++detached_count_;
  if (!link.whom)
    return;
  v1::ExporterDetached told;
  told.set_partition_id(self_.options_.id.value);
  told.set_name(link.name);
  told.set_acknowledged_position(link.channel.acknowledged().value);
  told.set_reason(reason);
  mail_as(&self_, exporter_detached{{wire_version, told.SerializeAsString()}})
    .send(link.whom);
  link.whom = nullptr;
}

} // namespace gnomon
