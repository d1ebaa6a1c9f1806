#include "actors/worker_actor.hpp"

#include "gnomon/v1/job.pb.h"

#include <exception>
#include <optional>

namespace gnomon {

namespace {

constexpr caf::timespan retry_delay = std::chrono::milliseconds{500};
constexpr caf::timespan request_timeout = std::chrono::seconds{60};

job to_job(const v1::Job& from) {
  const auto& created = from.created();
  return {.key = {from.key()},
          .activation = from.activation(),
          .timer = {created.timer_key()},
          .occurrence = created.occurrence(),
          .due = {created.due_ms()},
          .type = created.type(),
          .payload = created.payload()};
}

} // namespace

worker_actor::worker_actor(caf::actor_config& cfg, partition from,
                           std::string type, callback work,
                           worker_options options)
  : worker_impl::base(cfg), from_(std::move(from)), type_(std::move(type)),
    work_(std::move(work)), options_(options) {
  // nop
}

worker_actor::behavior_type worker_actor::make_behavior() {
  on_down(this, from_,
          [this](const caf::actor_addr&, const caf::error&) { quit(); });
  subscribe_to_jobs();
  return {
    [this](job_push& pushed) -> caf::result<void> {
      v1::Job content;
      if (pushed.version == wire_version
          && content.ParseFromString(pushed.content))
        run(content);
      return caf::unit;
    },
    [this](resubscribe) -> caf::result<void> {
      subscribe_to_jobs();
      return caf::unit;
    },
  };
}

const char* worker_actor::name() const {
  return "gnomon.worker";
}

void worker_actor::on_exit() {
  from_ = nullptr;
  work_ = nullptr;
}

void worker_actor::subscribe_to_jobs() {
  v1::SubscribeRequest request;
  request.set_type(type_);
  request.set_capacity(options_.capacity);
  request.set_timeout_ms(options_.job_timeout.count());
  mail_as(this, subscribe{{wire_version, request.SerializeAsString()}},
          worker{worker_impl{this}})
    .request(from_, request_timeout)
    .then([](const subscribe_reply&) {},
          [this](const caf::error&) { subscribe_later(); });
}

void worker_actor::subscribe_later() {
  mail_as(this, resubscribe{}).delay(retry_delay).send(worker_impl{this});
}

void worker_actor::run(const v1::Job& pushed) {
  const auto given = to_job(pushed);
  std::optional<bytes> result;
  try {
    result = work_(given);
  } catch (const std::exception& what) {
    log_line(CAF_LOG_LEVEL_WARNING,
             "job " + std::to_string(given.key.value) + ": " + what.what());
  } catch (...) {
    log_line(CAF_LOG_LEVEL_WARNING, "job " + std::to_string(given.key.value)
                                      + ": an unknown exception");
  }
  if (result)
    complete(given, std::move(*result));
}

void worker_actor::complete(const job& done, bytes result) {
  const auto command
    = to_command(complete_job{done.key, done.activation, std::move(result)});
  // Should it fail, the job is offered again; there is nothing to do about it.
  mail_as(this, make_submit(std::vector{command}))
    .request(from_, caf::infinite)
    .then([](const submit_reply&) {}, [](const caf::error&) {});
}

} // namespace gnomon
