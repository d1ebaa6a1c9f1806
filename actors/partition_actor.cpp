#include "actors/partition_actor.hpp"

#include "actors/disk_actor.hpp"
#include "actors/error_conversion.hpp"
#include "gnomon/check.hpp"

#include <algorithm>
#include <exception>
#include <optional>

namespace gnomon {

using partitions::stream_processor;

namespace {

/// Runs `work`, which may call what others wrote.
std::optional<error> exception_of(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::exception& what) {
    return error{errc::processing_failed, what.what()};
  } catch (...) {
    return error{errc::processing_failed, "an unknown exception"};
  }
}

} // namespace

partition_actor::partition_actor(caf::actor_config& cfg,
                                 host_environment environment,
                                 partition_options options)
  : partition_impl::base(cfg), environment_(std::move(environment)),
    options_(std::move(options)),
    next_due_(
      std::make_shared<timers::next_due_reference>(options_.resolution)),
    budget_(*environment_.time, {.time_max = options_.yield_budget}),
    requests_(options_.metrics ? environment_.time : nullptr),
    reopen_delay_(options_.reopen_delay) {
  // nop
}

partition_actor::~partition_actor() = default;

partition_actor::behavior_type partition_actor::make_behavior() {
  mail_as(this, watch_reference{partition_impl{this}, next_due_})
    .send(environment_.timer);
  open();
  return {
    [this](submit& request) { return on_submit(request); },
    [this](query& request) { return on_query(request); },
    [this](control& request) { return on_control(request); },
    [this](subscribe& request, worker& from) {
      return on_subscribe(request, from);
    },
    [this](activate_jobs& request) { return on_activate(request); },
    [this](const poll_over& x) -> caf::result<void> {
      end_poll(x.worker);
      return caf::unit;
    },
    [this](attach_exporter& request, exporter& from) {
      return on_attach(request, from);
    },
    [this](trigger_due) -> caf::result<void> {
      if (core_) {
        core_->scan_due();
        turn();
      }
      return caf::unit;
    },
    [this](proceed) -> caf::result<void> {
      is_proceeding_ = false;
      if (core_)
        turn();
      return caf::unit;
    },
    [this](reopen) -> caf::result<void> {
      if (core_ || phase_ != v1::PHASE_FAILED || is_closing_)
        return caf::unit;
      if (distrusted_)
        distrust(std::move(distrusted_));
      else
        open();
      return caf::unit;
    },
    [this](const resume_export& x) -> caf::result<void> {
      exports_.resume(x.name);
      return caf::unit;
    },
  };
}

const char* partition_actor::name() const {
  return "gnomon.partition";
}

void partition_actor::on_exit() {
  mail_as(this, watch_reference{partition_impl{this}, nullptr, true})
    .send(environment_.timer);
  if (core_ && tasks_beside_ == 0)
    close_here();
  const auto code = core_ ? errc::io_error : errc::unavailable;
  core_ = nullptr;
  fail_requests({code, "partition: it has ended"});
  // Behind the tasks that they still have: one may be to distrust the state.
  for (auto* disk : {&log_disk_, &side_disk_, &export_disk_})
    if (*disk)
      mail_as(this, disk_task{}).send(*disk);
  workers_.clear();
  askers_.clear();
  exports_.clear();
  environment_.timer = nullptr;
}

// -- life ---------------------------------------------------------------------

partition_actor::opening
partition_actor::open_with_positions(storage::file_system& files,
                                     const gnomon::clock& time,
                                     const partition_options& options) {
  auto core = stream_processor::open(files, time, options);
  if (!core)
    return {core.error(), core.error()};
  const auto& directory = (*core)->storage().directory();
  auto positions = exporters::position_files{files, directory.location(),
                                             directory.identity().log}
                     .read_all();
  if (!positions)
    return {positions.error(), positions.error()};
  return {std::move(core), std::move(positions)};
}

void partition_actor::open() {
  phase_ = v1::PHASE_OPENING;
  auto slot = std::make_shared<std::optional<opening>>();
  run_on(
    log_disk(),
    [slot, options = options_, files = environment_.files,
     time = environment_.time] {
      *slot = open_with_positions(*files, *time, options);
    },
    [this, slot] { opened(std::move(**slot)); });
}

void partition_actor::opened(opening outcome) {
  if (!outcome.core) {
    fail(outcome.core.error());
    return;
  }
  core_ = std::move(*outcome.core);
  phase_ = v1::PHASE_PROCESSING;
  reopen_delay_ = options_.reopen_delay;
  if (!core_->opening_report().empty())
    log_line(CAF_LOG_LEVEL_WARNING, "opened: " + core_->opening_report());
  for (auto& x : workers_)
    x.id = core_->subscribe(x.what);
  exports_.restore(*outcome.positions);
  for (auto& request : std::exchange(stashed_, {}))
    request(nullptr);
  turn();
}

void partition_actor::fail(const error& why) {
  last_failure_ = to_string(why);
  ++failures_;
  log_line(CAF_LOG_LEVEL_ERROR, "failed: " + last_failure_);
  const auto was_open = core_ != nullptr;
  phase_ = v1::PHASE_FAILED;
  next_due_->withdraw();
  fail_requests({was_open ? errc::io_error : errc::unavailable,
                 (was_open ? "partition: failed, outcome unknown: "
                           : "partition: cannot be opened: ")
                   + last_failure_});
  if (was_open)
    distrust(std::exchange(core_, nullptr));
  else
    reopen_later();
}

void partition_actor::distrust(std::shared_ptr<stream_processor> failed) {
  struct attempt {
    std::shared_ptr<stream_processor> failed;
    result<void> outcome;
  };
  auto what = std::make_shared<attempt>();
  what->failed = std::move(failed);
  run_beside(
    side_disk(),
    [what] {
      what->outcome = what->failed->distrust();
      if (what->outcome)
        what->failed = nullptr;
    },
    [this, what] {
      // Until it succeeds, the directory stays locked.
      distrusted_ = std::move(what->failed);
      if (distrusted_)
        log_line(CAF_LOG_LEVEL_ERROR, to_string(what->outcome.error()));
      reopen_later();
    });
}

void partition_actor::fail_requests(const error& why) {
  requests_.fail_all(why);
  for (auto& request : std::exchange(stashed_, {}))
    request(&why);
  for (auto& answer : std::exchange(deferred_, {}))
    answer.send(&why);
  for (auto& waiter : std::exchange(snapshot_waiters_, {}))
    waiter.deliver(to_caf(why));
  for (auto& waiter : std::exchange(close_waiters_, {}))
    waiter.deliver(to_caf(why));
  fail_polls(why);
  is_snapshotting_ = false;
}

void partition_actor::reopen_later() {
  if (is_closing_) {
    close();
    return;
  }
  mail_as(this, reopen{})
    .delay(caf::timespan{reopen_delay_})
    .send(partition_impl{this});
  reopen_delay_ = std::min(reopen_delay_ * 2, options_.reopen_delay_max);
}

void partition_actor::close_when_quiet() {
  if (!is_closing_ || phase_ == v1::PHASE_OPENING || phase_ == v1::PHASE_CLOSED
      || tasks_beside_ > 0)
    return;
  const auto has_answered
    = requests_.empty() && deferred_.empty() && !is_snapshotting_;
  if (!core_ || has_answered || is_stuck())
    close();
}

bool partition_actor::is_stuck() const {
  // What is in the log already is answered first.
  return (core_->is_paused() || is_held_)
         && core_->durable_position() == core_->storage().log().last_position();
}

void partition_actor::close_here() {
  if (core_->storage().log().sync())
    release();
  exports_.last_positions()();
  auto done = std::exchange(core_, nullptr)->close();
  if (!done)
    log_line(CAF_LOG_LEVEL_ERROR, to_string(done.error()));
}

void partition_actor::close() {
  phase_ = v1::PHASE_CLOSED;
  auto keep_positions = exports_.last_positions();
  auto core = std::exchange(core_, nullptr);
  auto outcome = std::make_shared<result<void>>();
  run_on(
    log_disk(),
    [core, outcome, keep_positions]() mutable {
      if (core) {
        keep_positions();
        *outcome = core->close();
      }
      core = nullptr;
    },
    [this, outcome] {
      for (auto& waiter : std::exchange(close_waiters_, {})) {
        if (*outcome)
          waiter.deliver(control_reply{});
        else
          waiter.deliver(to_caf(outcome->error()));
      }
      quit();
    });
}

// -- disk actors --------------------------------------------------------------

void partition_actor::run_on(const disk_handle& where, side_task work,
                             side_task done) {
  run(where, std::move(work), [this, done = std::move(done)](const error* why) {
    if (why)
      fail(*why);
    else
      done();
  });
}

void partition_actor::run_beside(const disk_handle& where, side_task work,
                                 side_task done) {
  ++tasks_beside_;
  run(
    where, [core = core_, work = std::move(work)] { work(); },
    [this, done = std::move(done)](const error* why) {
      GNOMON_CHECK(tasks_beside_ > 0);
      --tasks_beside_;
      if (why)
        fail(*why);
      else
        done();
      close_when_quiet();
    });
}

void partition_actor::run(const disk_handle& where, side_task work,
                          std::function<void(const error*)> end) {
  auto thrown = std::make_shared<std::optional<error>>();
  auto task = std::make_shared<const side_task>(
    [work = std::move(work), thrown] { *thrown = exception_of(work); });
  mail_as(this, disk_task{std::move(task)})
    .request(where, caf::infinite)
    .then([thrown, end] { end(*thrown ? &**thrown : nullptr); },
          [this, where, end](const caf::error&) {
            for (auto* disk : {&log_disk_, &side_disk_, &export_disk_})
              if (*disk == where)
                *disk = nullptr;
            const error ended{errc::io_error, "a disk actor has ended"};
            end(&ended);
          });
}

const disk_handle& partition_actor::log_disk() {
  if (!log_disk_)
    log_disk_ = spawn_disk();
  return log_disk_;
}

const disk_handle& partition_actor::side_disk() {
  if (!side_disk_)
    side_disk_ = spawn_disk();
  return side_disk_;
}

const disk_handle& partition_actor::export_disk() {
  if (!export_disk_)
    export_disk_ = spawn_disk();
  return export_disk_;
}

disk_handle partition_actor::spawn_disk() {
  if (environment_.detach_disk_actors)
    return system().spawn<disk_actor, caf::detached + caf::hidden>();
  return system().spawn<disk_actor, caf::hidden>();
}

} // namespace gnomon
