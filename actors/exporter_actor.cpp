#include "actors/exporter_actor.hpp"

#include "actors/error_conversion.hpp"
#include "gnomon/check.hpp"
#include "storage/system_file_system.hpp"

#include <google/protobuf/arena.h>

#include "exporters/json_lines_writer.hpp"
#include <exception>
#include <memory>

namespace gnomon {

namespace {

constexpr caf::timespan retry_delay = std::chrono::milliseconds{500};

/// Calls what others wrote.
result<void> call(const export_callback& take, const v1::ExportBatch& batch) {
  try {
    return take(batch);
  } catch (const std::exception& what) {
    return {errc::processing_failed, what.what()};
  } catch (...) {
    return {errc::processing_failed, "an unknown exception"};
  }
}

/// Opens its files at the first batch, and again after an error.
class json_lines_callback {
public:
  explicit json_lines_callback(json_lines_options where)
    : where_(std::move(where)) {
    // nop
  }

  result<void> operator()(const v1::ExportBatch& batch) {
    if (!writer_) {
      auto opened
        = exporters::json_lines_writer::open(storage::system_files(), where_);
      if (!opened)
        return opened.error();
      writer_ = std::move(*opened);
    }
    auto done = writer_->write(batch);
    if (!done)
      writer_ = nullptr;
    return done;
  }

private:
  json_lines_options where_;
  std::shared_ptr<exporters::json_lines_writer> writer_;
};

} // namespace

exporter_actor::exporter_actor(caf::actor_config& cfg, partition from,
                               export_callback take, exporter_options options)
  : exporter_impl::base(cfg), from_(std::move(from)), take_(std::move(take)),
    options_(std::move(options)) {
  // nop
}

exporter_actor::behavior_type exporter_actor::make_behavior() {
  on_down(this, from_,
          [this](const caf::actor_addr&, const caf::error&) { quit(); });
  attach_to_partition();
  return {
    [this](const export_batch& received) { return take(received); },
    [this](const exporter_detached& x) -> caf::result<void> {
      v1::ExporterDetached why;
      if (options_.accept_gap)
        attach_to_partition();
      else
        end(why.ParseFromString(x.content) ? why.reason() : "detached");
      return caf::unit;
    },
    [this](reattach) -> caf::result<void> {
      attach_to_partition();
      return caf::unit;
    },
  };
}

const char* exporter_actor::name() const {
  return "gnomon.exporter";
}

void exporter_actor::on_exit() {
  from_ = nullptr;
  take_ = nullptr;
}

void exporter_actor::attach_to_partition() {
  v1::AttachExporter request;
  request.set_name(options_.name);
  for (const auto type : options_.value_types)
    request.add_value_types(static_cast<std::uint32_t>(type));
  request.set_batch_bytes_max(options_.batch_bytes_max);
  request.set_batches_max(options_.batches_max);
  request.set_accept_gap(options_.accept_gap);
  mail_as(this, attach_exporter{{wire_version, request.SerializeAsString()}},
          exporter{exporter_impl{this}})
    .request(from_, caf::infinite)
    .then([](const attach_reply&) {},
          [this](const caf::error& why) { attach_failed(why); });
}

void exporter_actor::attach_failed(const caf::error& why) {
  // Neither passes by itself.
  if (why == errc::invalid_argument || why == errc::lost_data)
    end(to_string(why));
  else
    mail_as(this, reattach{}).delay(retry_delay).send(exporter_impl{this});
}

caf::result<export_reply> exporter_actor::take(const export_batch& received) {
  google::protobuf::Arena arena;
  auto& batch
    = *google::protobuf::Arena::CreateMessage<v1::ExportBatch>(&arena);
  if (received.version != wire_version
      || !batch.ParseFromString(received.content))
    return to_caf({errc::invalid_argument,
                   "export: expected a batch of version 1, but could not read "
                   "it"});
  if (auto done = call(take_, batch); !done)
    return to_caf(done.error());
  return export_reply{};
}

void exporter_actor::end(const std::string& why) {
  log_line(CAF_LOG_LEVEL_ERROR, "exporter " + options_.name + " ends: " + why);
  quit();
}

// -- spawning -----------------------------------------------------------------

exporter spawn_exporter(caf::actor_system& system, partition from,
                        export_callback take, exporter_options options) {
  GNOMON_CHECK(take != nullptr);
  if (options.detached)
    return system.spawn<exporter_actor, caf::detached + caf::hidden>(
      std::move(from), std::move(take), std::move(options));
  return system.spawn<exporter_actor, caf::hidden>(
    std::move(from), std::move(take), std::move(options));
}

exporter spawn_json_exporter(caf::actor_system& system, partition from,
                             json_lines_options where,
                             exporter_options options) {
  return spawn_exporter(system, std::move(from),
                        json_lines_callback{std::move(where)},
                        std::move(options));
}

} // namespace gnomon
