#include "actors/callback_worker.hpp"

#include "gnomon/check.hpp"

#include <utility>

namespace gnomon {

namespace {

v1::SubscribeRequest request_for(std::string type,
                                 const worker_options& options) {
  v1::SubscribeRequest result;
  result.set_type(std::move(type));
  result.set_capacity(options.capacity);
  result.set_timeout_ms(options.job_timeout.count());
  return result;
}

} // namespace

callback_worker::callback_worker(caf::actor_config& cfg, partition from,
                                 std::string type, job_callback work,
                                 worker_options options)
  : worker_actor(cfg, std::move(from), request_for(std::move(type), options)),
    work_(std::move(work)), options_(std::move(options)) {
  GNOMON_CHECK(options_.concurrency > 0);
}

callback_worker::behavior_type callback_worker::make_behavior() {
  if (options_.concurrency > 1)
    spawn_runners();
  return worker_actor::make_behavior();
}

const char* callback_worker::name() const {
  return "gnomon.worker";
}

void callback_worker::on_exit() {
  for (const auto& runner : runners_)
    send_exit(runner, caf::exit_reason::user_shutdown);
  runners_.clear();
  idle_.clear();
  work_ = nullptr;
  worker_actor::on_exit();
}

void callback_worker::take(v1::Job next) {
  if (!runners_.empty()) {
    unassigned_.push_back(std::make_shared<const v1::Job>(std::move(next)));
    give_to_runners();
    return;
  }
  auto given = to_job(next);
  given.extend_timeout = make_extender(this, from(), next);
  answer(run_callback(work_, given, options_));
}

// -- runners ------------------------------------------------------------------

void callback_worker::spawn_runners() {
  for (std::uint32_t i = 0; i < options_.concurrency; ++i)
    runners_.push_back(
      options_.detached
        ? system().spawn<job_runner, caf::detached + caf::hidden>(from(), work_,
                                                                  options_)
        : system().spawn<job_runner, caf::hidden>(from(), work_, options_));
  idle_ = runners_;
}

void callback_worker::give_to_runners() {
  while (!unassigned_.empty() && !idle_.empty()) {
    const auto runner = std::move(idle_.back());
    idle_.pop_back();
    auto next = std::move(unassigned_.front());
    unassigned_.pop_front();
    run_on(runner, std::move(next));
  }
}

void callback_worker::run_on(const runner_handle& runner,
                             std::shared_ptr<const v1::Job> what) {
  mail_as(this, run_job{std::move(what)})
    .request(runner, caf::infinite)
    .then(
      [this, runner](const job_answer& done) {
        idle_.push_back(runner);
        answer(*done.what);
        give_to_runners();
      },
      // A runner ends only with this actor.
      [](const caf::error&) {});
}

} // namespace gnomon
