#include "actors/worker_actor.hpp"

#include "gnomon/check.hpp"
#include "gnomon/v1/job.pb.h"

#include <algorithm>
#include <utility>

namespace gnomon {

namespace {

constexpr caf::timespan retry_delay = std::chrono::milliseconds{500};
constexpr caf::timespan request_timeout = std::chrono::seconds{60};

/// Says whether the partition may take later what it did not take with `code`.
bool may_pass(errc code) {
  switch (code) {
  case errc::invalid_argument:
  case errc::exceeded_batch_size:
    return false;
  default:
    return true;
  }
}

/// Says whether `said` refuses a result for what it is.
bool is_bad_result(const v1::Answer& said) {
  return said.error_code() != 0
         || said.outcome().rejection_type()
              == v1::REJECTION_TYPE_INVALID_ARGUMENT
         || said.outcome().rejection_type()
              == v1::REJECTION_TYPE_EXCEEDED_BATCH_SIZE;
}

/// Returns the FAIL for a job whose COMPLETE the partition never takes.
v1::Command failure_for(const v1::Command& refused, const v1::Answer& said) {
  v1::CompleteJob value;
  value.ParseFromString(refused.value());
  const auto& why = said.error_code() != 0 ? said.error_context()
                                           : said.outcome().rejection_reason();
  return to_command(fail_job{.key = {refused.key()},
                             .activation = value.activation(),
                             .message = "its result was refused: " + why});
}

bool is_completion(const v1::Command& command) {
  return command.intent() == v1::JOB_INTENT_COMPLETE;
}

} // namespace

worker_actor::worker_actor(caf::actor_config& cfg, partition from,
                           std::string type, job_callback work,
                           worker_options options)
  : callback_worker::base(cfg), from_(std::move(from)), type_(std::move(type)),
    work_(std::move(work)), options_(std::move(options)) {
  GNOMON_CHECK(options_.capacity > 0);
  GNOMON_CHECK(options_.concurrency > 0);
}

worker_actor::behavior_type worker_actor::make_behavior() {
  on_down(this, from_,
          [this](const caf::actor_addr&, const caf::error&) { quit(); });
  for (std::uint32_t i = 0; i < options_.concurrency; ++i)
    if (options_.concurrency > 1)
      runners_.push_back(
        options_.detached
          ? system().spawn<job_runner, caf::detached + caf::hidden>(
            from_, work_, options_)
          : system().spawn<job_runner, caf::hidden>(from_, work_, options_));
  idle_ = runners_;
  subscribe_to_jobs();
  return {
    [this](job_push& pushed) -> caf::result<void> {
      auto content = std::make_shared<v1::Job>();
      if (pushed.version == wire_version
          && content->ParseFromString(pushed.content))
        take(std::move(content));
      return caf::unit;
    },
    [this](resubscribe) -> caf::result<void> {
      subscribe_to_jobs();
      return caf::unit;
    },
    [this](answer_again) -> caf::result<void> {
      for (auto& each : std::exchange(unanswered_, {}))
        answer(std::move(each));
      return caf::unit;
    },
    [this](const drain&) -> caf::result<void> {
      drain_now();
      return caf::unit;
    },
  };
}

const char* worker_actor::name() const {
  return "gnomon.worker";
}

void worker_actor::on_exit() {
  for (const auto& runner : runners_)
    send_exit(runner, caf::exit_reason::user_shutdown);
  runners_.clear();
  idle_.clear();
  from_ = nullptr;
  work_ = nullptr;
}

// -- taking -------------------------------------------------------------------

void worker_actor::subscribe_to_jobs() {
  v1::SubscribeRequest request;
  request.set_type(type_);
  request.set_capacity(is_draining_ ? 0 : options_.capacity);
  request.set_timeout_ms(options_.job_timeout.count());
  mail_as(this, subscribe{{wire_version, request.SerializeAsString()}},
          worker{callback_worker{this}})
    .request(from_, request_timeout)
    .then([](const subscribe_reply&) {},
          [this](const caf::error&) {
            mail_as(this, resubscribe{})
              .delay(retry_delay)
              .send(callback_worker{this});
          });
}

void worker_actor::take(std::shared_ptr<const v1::Job> pushed) {
  // Its activation was under way; others get it as soon as this one ends.
  if (is_draining_)
    return;
  ++held_;
  if (!runners_.empty()) {
    waiting_.push_back(std::move(pushed));
    give_to_runners();
    return;
  }
  auto given = to_job(*pushed);
  given.extend_timeout = make_extender(this, from_, *pushed);
  answer(
    std::make_shared<const v1::Command>(run_callback(work_, given, options_)));
}

void worker_actor::give_to_runners() {
  while (!waiting_.empty() && !idle_.empty()) {
    const auto runner = std::move(idle_.back());
    idle_.pop_back();
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    run_on(runner, std::move(next));
  }
}

void worker_actor::run_on(const runner_handle& runner,
                          std::shared_ptr<const v1::Job> what) {
  mail_as(this, run_job{std::move(what)})
    .request(runner, caf::infinite)
    .then(
      [this, runner](job_answer& done) {
        idle_.push_back(runner);
        answer(std::move(done.what));
        give_to_runners();
      },
      // A runner ends only with this actor.
      [](const caf::error&) {});
}

// -- answers ------------------------------------------------------------------

void worker_actor::answer(std::shared_ptr<const v1::Command> what) {
  mail_as(this, make_submit(std::vector{*what}))
    .request(from_, caf::infinite)
    .then(
      [this, what](const submit_reply& reply) {
        v1::SubmitReply content;
        if (content.ParseFromString(reply.content)
            && content.answers_size() == 1)
          judge(what, content.answers(0));
        else
          answered();
      },
      [this, what](const caf::error&) { answer_later(what); });
}

void worker_actor::judge(const std::shared_ptr<const v1::Command>& what,
                         const v1::Answer& said) {
  const auto code = static_cast<errc>(said.error_code());
  if (code != errc::none && may_pass(code))
    return answer_later(what);
  if (is_completion(*what) && is_bad_result(said))
    return answer(
      std::make_shared<const v1::Command>(failure_for(*what, said)));
  answered();
}

void worker_actor::answer_later(std::shared_ptr<const v1::Command> what) {
  unanswered_.push_back(std::move(what));
  if (unanswered_.size() == 1)
    mail_as(this, answer_again{})
      .delay(retry_delay)
      .send(callback_worker{this});
}

void worker_actor::answered() {
  GNOMON_CHECK(held_ > 0);
  --held_;
  end_when_drained();
}

// -- draining -----------------------------------------------------------------

void worker_actor::drain_now() {
  if (is_draining_)
    return;
  is_draining_ = true;
  subscribe_to_jobs();
  end_when_drained();
}

void worker_actor::end_when_drained() {
  if (is_draining_ && held_ == 0)
    quit();
}

} // namespace gnomon
