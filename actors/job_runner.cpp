#include "actors/job_runner.hpp"

#include <exception>
#include <utility>

namespace gnomon {

job to_job(const v1::Job& from) {
  const auto& created = from.created();
  return {.key = {from.key()},
          .activation = from.activation(),
          .timer = {created.timer_key()},
          .occurrence = created.occurrence(),
          .due = {created.due_ms()},
          .type = created.type(),
          .payload = created.payload(),
          .retries = from.retries()};
}

v1::Command run_callback(const job_callback& work, const job& from,
                         const worker_options& options) {
  fail_job failure{.key = from.key, .activation = from.activation};
  if (options.back_off)
    failure.back_off = *options.back_off;
  try {
    return to_command(complete_job{from.key, from.activation, work(from)});
  } catch (const std::exception& what) {
    failure.message = what.what();
  } catch (...) {
    failure.message = "an unknown exception";
  }
  log_line(CAF_LOG_LEVEL_WARNING,
           "job " + std::to_string(from.key.value) + ": " + failure.message);
  return to_command(failure);
}

job_runner::job_runner(caf::actor_config& cfg, partition from,
                       job_callback work, worker_options options)
  : runner_handle::base(cfg), from_(std::move(from)), work_(std::move(work)),
    options_(std::move(options)) {
  // nop
}

job_runner::behavior_type job_runner::make_behavior() {
  return {[this](const run_job& x) -> caf::result<job_answer> {
    auto given = to_job(*x.what);
    given.extend_timeout = make_extender(this, from_, *x.what);
    return job_answer{std::make_shared<const v1::Command>(
      run_callback(work_, given, options_))};
  }};
}

const char* job_runner::name() const {
  return "gnomon.runner";
}

void job_runner::on_exit() {
  from_ = nullptr;
  work_ = nullptr;
}

} // namespace gnomon
