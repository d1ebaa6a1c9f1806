// The loop of the partition actor: turns, tickets, and what they release.

#include "actors/partition_actor.hpp"
#include "gnomon/check.hpp"

#include <algorithm>
#include <exception>

namespace gnomon {

using step_end = partitions::stream_processor::step_end;

namespace {

// The log grows meanwhile; one whole copy after the other would not help.
constexpr std::chrono::nanoseconds snapshot_retry_delay
  = std::chrono::minutes{1};

} // namespace

void partition_actor::proceed_later() {
  if (is_proceeding_)
    return;
  is_proceeding_ = true;
  mail_as(this, proceed{}).send(partition_impl{this});
}

void partition_actor::turn() {
  GNOMON_CHECK(core_ != nullptr);
  budget_.restart();
  for (;;) {
    auto end = core_->step();
    if (!end) {
      fail(end.error());
      return;
    }
    is_held_ = *end == step_end::held;
    pump();
    if (*end != step_end::progressed)
      break;
    const auto may_go_on = budget_.spend();
    if (!may_go_on)
      ++yields_;
    // A sync that has ended waits in the mailbox, and clients wait for it.
    if (!may_go_on || *sync_has_ended_) {
      proceed_later();
      break;
    }
  }
  release();
  offer_next_due();
  close_when_quiet();
}

void partition_actor::pump() {
  start_spare();
  start_roll();
  start_sync();
  if (core_->wants_snapshot() && may_snapshot())
    start_snapshot();
}

bool partition_actor::may_snapshot() const {
  return !is_snapshotting_ && !is_closing_
         && (!next_snapshot_
             || environment_.time->monotonic() >= *next_snapshot_);
}

void partition_actor::start_sync() {
  auto ticket = core_->begin_sync();
  if (!ticket)
    return;
  auto shared = std::make_shared<storage::sync_ticket>(std::move(*ticket));
  auto outcome = std::make_shared<result<void>>();
  sync_has_ended_ = std::make_shared<std::atomic<bool>>(false);
  run_on(
    log_disk(),
    [shared, outcome, has_ended = sync_has_ended_] {
      *outcome = shared->run();
      *has_ended = true;
    },
    [this, shared, outcome, of = core_.get()] {
      if (core_.get() != of)
        return;
      *sync_has_ended_ = false;
      if (auto done = core_->end_sync(*shared, *outcome); !done) {
        fail(done.error());
        return;
      }
      release();
      start_sync();
      close_when_quiet();
    });
}

void partition_actor::start_spare() {
  // Behind a snapshot it would take too long, and a roll has to wait for it.
  if (tasks_beside_ > 0)
    return;
  auto ticket = core_->begin_spare();
  if (!ticket)
    return;
  auto shared = std::make_shared<storage::spare_ticket>(std::move(*ticket));
  auto outcome = std::make_shared<result<void>>();
  run_beside(
    side_disk(), [shared, outcome] { *outcome = shared->run(); },
    [this, shared, outcome, of = core_.get()] {
      if (core_.get() != of)
        return;
      core_->end_spare(*shared, *outcome);
      turn();
    });
}

void partition_actor::start_roll() {
  auto ticket = core_->begin_roll();
  if (!ticket)
    return;
  auto shared = std::make_shared<storage::roll_ticket>(std::move(*ticket));
  auto outcome = std::make_shared<result<void>>();
  run_beside(
    log_disk(), [shared, outcome] { *outcome = shared->run(); },
    [this, shared, outcome, of = core_.get()] {
      if (core_.get() != of)
        return;
      if (auto done = core_->end_roll(*shared, *outcome); !done)
        fail(done.error());
      else
        turn();
    });
}

void partition_actor::release() {
  if (!core_)
    return;
  for (auto& what : core_->take_effects()) {
    if (auto* reply = std::get_if<engine::reply>(&what))
      requests_.answer(std::move(*reply));
    else
      send_job(std::get<engine::delivery>(what));
  }
  answer_polls();
  const auto durable = core_->durable_position();
  while (!deferred_.empty() && deferred_.front().after <= durable) {
    const auto answer = std::move(deferred_.front());
    deferred_.pop_front();
    answer.send(nullptr);
  }
  exports_.pump();
}

void partition_actor::deliver_to_user(const engine::delivery& what) {
  if (!options_.on_delivery)
    return;
  std::string thrown = "an unknown exception";
  try {
    options_.on_delivery(what.channel, what.key, what.content);
    return;
  } catch (const std::exception& why) {
    thrown = why.what();
  } catch (...) {
    // Says nothing about itself.
  }
  log_line(CAF_LOG_LEVEL_ERROR,
           "delivery on channel " + what.channel + ": " + thrown);
}

void partition_actor::offer_next_due() {
  if (!core_)
    return;
  const auto due = core_->next_due();
  if (due && next_due_->offer(*due))
    mail_as(this, wake{}).send(environment_.timer);
}

// -- snapshots ----------------------------------------------------------------

void partition_actor::start_snapshot() {
  is_snapshotting_ = true;
  using outcome_type = std::optional<result<storage::snapshot_manifest>>;
  auto outcome = std::make_shared<outcome_type>();
  run_beside(
    side_disk(),
    [core = core_, outcome] {
      auto& storage = core->storage();
      outcome->emplace(storage.snapshots().copy(storage.state()));
    },
    [this, outcome] {
      if (!core_)
        return;
      if (auto& copied = **outcome; copied)
        publish_snapshot(std::move(*copied));
      else
        end_snapshot(copied.error());
    });
}

void partition_actor::publish_snapshot(storage::snapshot_manifest copied) {
  const auto at = copied.position();
  answer_when_durable(at, [this, at](const error* why) {
    if (why)
      return; // Those who wait for it are told at the same time.
    // Compaction goes by what is on disk.
    exports_.keep_positions();
    using outcome_type = std::optional<result<storage::snapshot_retirement>>;
    auto outcome = std::make_shared<outcome_type>();
    run_beside(
      side_disk(),
      [core = core_, outcome, at, durable = core_->durable_position()] {
        auto& snapshots = core->storage().snapshots();
        if (auto done = snapshots.publish(at, durable); !done)
          outcome->emplace(done.error());
        else
          outcome->emplace(snapshots.retire());
      },
      [this, outcome] { end_snapshot(std::move(**outcome)); });
  });
}

void partition_actor::end_snapshot(
  result<storage::snapshot_retirement> outcome) {
  is_snapshotting_ = false;
  auto why = outcome ? std::optional<error>{} : outcome.error();
  if (core_ && outcome && outcome->compact_below)
    outcome->compact_below = exports_.compact_below(outcome->compact_below);
  auto compacted
    = core_ && outcome ? core_->end_snapshot(*outcome) : result<void>{};
  if (!compacted)
    why = compacted.error();
  for (auto& waiter : std::exchange(snapshot_waiters_, {})) {
    if (why) {
      waiter.deliver(caf::make_error(why->code, why->context));
      continue;
    }
    v1::ControlReply reply;
    if (!outcome->kept.empty())
      reply.set_position(outcome->kept.back().value);
    waiter.deliver(control_reply{{wire_version, reply.SerializeAsString()}});
  }
  next_snapshot_ = std::nullopt;
  if (!why)
    return;
  next_snapshot_ = environment_.time->monotonic() + snapshot_retry_delay;
  last_failure_ = to_string(*why);
  ++snapshots_failed_;
  log_line(CAF_LOG_LEVEL_ERROR, "snapshot failed: " + last_failure_);
  if (!compacted)
    fail(*why);
}

} // namespace gnomon
