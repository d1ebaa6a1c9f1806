#include "actors/partition_actor.hpp"

#include "actors/disk_actor.hpp"
#include "actors/error_conversion.hpp"
#include "gnomon/check.hpp"

#include <algorithm>

namespace gnomon {

using partitions::stream_processor;

partition_actor::partition_actor(caf::actor_config& cfg,
                                 host_environment environment,
                                 partition_options options)
  : partition_impl::base(cfg), environment_(std::move(environment)),
    options_(std::move(options)),
    next_due_(
      std::make_shared<timers::next_due_reference>(options_.resolution)),
    budget_(*environment_.time, {.time_max = options_.yield_budget}),
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
      if (!core_ && phase_ == v1::PHASE_FAILED && !is_closing_)
        open();
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
    if (auto done = core_->close(); !done)
      log_line(CAF_LOG_LEVEL_ERROR, to_string(done.error()));
  core_ = nullptr;
  fail_requests({errc::unavailable, "partition: it has ended"});
  for (auto* disk : {&log_disk_, &side_disk_})
    if (*disk)
      send_exit(*disk, caf::exit_reason::user_shutdown);
  workers_.clear();
  environment_.timer = nullptr;
}

// -- life ---------------------------------------------------------------------

void partition_actor::open() {
  phase_ = v1::PHASE_OPENING;
  auto slot = std::make_shared<
    std::optional<result<std::unique_ptr<stream_processor>>>>();
  run_on(
    log_disk(),
    [slot, options = options_, files = environment_.files,
     time = environment_.time] {
      slot->emplace(stream_processor::open(*files, *time, options));
    },
    [this, slot] { opened(std::move(**slot)); });
}

void partition_actor::opened(
  result<std::unique_ptr<stream_processor>> outcome) {
  if (!outcome) {
    fail(outcome.error());
    return;
  }
  core_ = std::move(*outcome);
  phase_ = v1::PHASE_PROCESSING;
  reopen_delay_ = options_.reopen_delay;
  if (!core_->opening_report().empty())
    log_line(CAF_LOG_LEVEL_WARNING, "opened: " + core_->opening_report());
  for (auto& x : workers_)
    x.id = core_->subscribe(x.what);
  for (auto& request : std::exchange(stashed_, {}))
    request(nullptr);
  turn();
}

void partition_actor::fail(const error& why) {
  last_failure_ = to_string(why);
  log_line(CAF_LOG_LEVEL_ERROR, "failed: " + last_failure_);
  const auto was_open = core_ != nullptr;
  phase_ = v1::PHASE_FAILED;
  next_due_->withdraw();
  fail_requests({was_open ? errc::io_error : errc::unavailable,
                 (was_open ? "partition: failed, outcome unknown: "
                           : "partition: cannot be opened: ")
                   + last_failure_});
  if (was_open) {
    // Closed and, more important, distrusted where blocking is no harm. Should
    // that fail, the task keeps the directory locked and tries no more.
    auto core = std::exchange(core_, nullptr);
    auto distrusted = std::make_shared<bool>(false);
    run_on(
      side_disk(),
      [core, distrusted]() mutable {
        *distrusted = static_cast<bool>(core->distrust());
      },
      [this, core, distrusted] {
        if (*distrusted)
          reopen_later();
        else
          last_failure_ += "; its state cannot be distrusted";
      });
    return;
  }
  reopen_later();
}

void partition_actor::fail_requests(const error& why) {
  requests_.fail_all(why);
  for (auto& request : std::exchange(stashed_, {}))
    request(&why);
  deferred_.clear();
  for (auto& waiter : std::exchange(snapshot_waiters_, {}))
    waiter.deliver(to_caf(why));
  for (auto& waiter : std::exchange(close_waiters_, {}))
    waiter.deliver(to_caf(why));
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
  if (!core_ || core_->is_paused() || has_answered)
    close();
}

void partition_actor::close() {
  phase_ = v1::PHASE_CLOSED;
  auto core = std::exchange(core_, nullptr);
  auto outcome = std::make_shared<result<void>>();
  run_on(
    log_disk(),
    [core, outcome]() mutable {
      if (core)
        *outcome = core->close();
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
  auto task = std::make_shared<const std::function<void()>>(std::move(work));
  mail_as(this, disk_task{std::move(task)})
    .request(where, caf::infinite)
    .then([done = std::move(done)] { done(); },
          [this](const caf::error&) {
            log_disk_ = nullptr;
            side_disk_ = nullptr;
            fail({errc::unavailable, "disk actor has ended"});
          });
}

void partition_actor::run_beside(side_task work, side_task done) {
  ++tasks_beside_;
  run_on(
    side_disk(), [core = core_, work = std::move(work)] { work(); },
    [this, done = std::move(done)] {
      GNOMON_CHECK(tasks_beside_ > 0);
      --tasks_beside_;
      done();
      close_when_quiet();
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

disk_handle partition_actor::spawn_disk() {
  if (environment_.detach_disk_actors)
    return system().spawn<disk_actor, caf::detached + caf::hidden>();
  return system().spawn<disk_actor, caf::hidden>();
}

} // namespace gnomon
