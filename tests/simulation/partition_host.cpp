#include "tests/simulation/partition_host.hpp"

#include <algorithm>

namespace gnomon::simulation {

using partitions::stream_processor;

partition_host::partition_host(const surroundings& around,
                               partition_options options)
  : around_(around), options_(std::move(options)) {
  // nop
}

// -- life ---------------------------------------------------------------------

void partition_host::open() {
  if (failed_) {
    // Until it succeeds, the directory stays locked.
    if (auto done = failed_->distrust(); !done)
      return excuse(done.error());
    failed_ = nullptr;
  }
  around_.disk.begin_process();
  around_.log.begin_process();
  auto opened = stream_processor::open(around_.disk, around_.time, options_);
  around_.to.note(opened ? 1 : static_cast<std::uint64_t>(opened.error().code));
  if (!opened)
    return excuse(opened.error());
  excused_calls_ = around_.disk.failed_calls();
  core_ = std::move(*opened);
  is_idle_ = false;
}

void partition_host::close() {
  // Its disk actors end what they have begun.
  while (run_log_task() || run_side_task()) {
  }
  if (core_->storage().log().sync())
    release();
  if (auto done = core_->close(); !done)
    excuse(done.error());
  drop();
}

void partition_host::drop() {
  for (auto* each : {&log_tasks_, &log_done_, &side_tasks_, &side_done_})
    each->clear();
  workers_.clear();
  core_ = nullptr;
  failed_ = nullptr;
  next_due_ = std::nullopt;
  unpublished_ = std::nullopt;
  is_snapshotting_ = false;
  around_.user.hang_up();
}

void partition_host::fail(const error& why) {
  around_.to.note(static_cast<std::uint64_t>(why.code));
  excuse(why);
  while (run_log_task() || run_side_task()) {
  }
  auto failed = std::move(core_);
  drop();
  failed_ = std::move(failed);
}

void partition_host::excuse(const error& why) {
  const auto failed = around_.disk.failed_calls();
  const auto is_named
    = why.code == errc::io_error || why.code == errc::out_of_space;
  if (failed == excused_calls_)
    around_.to.breach("failed without a fault: " + to_string(why));
  else if (!is_named)
    around_.to.breach("failed for a reason that is not the fault's: "
                      + to_string(why));
}

// -- messages -----------------------------------------------------------------

void partition_host::submit(record command) {
  auto copy = command;
  const auto request = core_->submit(std::move(command));
  if (request)
    around_.user.sent(*request, std::move(copy));
  else if (request.error().code != errc::resource_exhausted)
    around_.to.breach("refused: " + to_string(request.error()));
}

void partition_host::turn() {
  const auto end = core_->step();
  if (!end)
    return fail(end.error());
  is_idle_ = *end == stream_processor::step_end::idle;
  around_.to.note(static_cast<std::uint64_t>(*end));
  pump();
  const auto due = core_->next_due();
  if (due && (!next_due_ || *due < *next_due_))
    next_due_ = due;
}

void partition_host::look_at_due() {
  if (!next_due_ || *next_due_ > around_.time.wall())
    return;
  next_due_ = std::nullopt;
  scan_due();
}

void partition_host::scan_due() {
  core_->scan_due();
  is_idle_ = false;
}

void partition_host::subscribe(partitions::job_dispatcher::subscription what) {
  workers_.push_back(core_->subscribe(std::move(what)));
  is_idle_ = false;
}

void partition_host::unsubscribe(std::size_t index) {
  core_->unsubscribe(workers_[index]);
  workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
  is_idle_ = false;
}

void partition_host::release() {
  for (const auto& what : core_->take_effects()) {
    if (const auto* reply = std::get_if<engine::reply>(&what))
      around_.user.answered(*reply);
    else
      around_.user.pushed(std::get<engine::delivery>(what));
  }
  if (unpublished_ && *unpublished_ <= core_->durable_position())
    publish_snapshot(*std::exchange(unpublished_, std::nullopt));
}

bool partition_host::is_quiet() const {
  return is_idle_ && log_tasks_.empty() && log_done_.empty()
         && side_tasks_.empty() && side_done_.empty();
}

// -- disk actors --------------------------------------------------------------

bool partition_host::run_first(queue& from, queue& to) {
  if (from.empty())
    return false;
  auto first = std::move(from.front());
  from.pop_front();
  first.run();
  to.push_back(std::move(first));
  return true;
}

bool partition_host::end_first(queue& from) {
  if (from.empty())
    return false;
  const auto first = std::move(from.front());
  from.pop_front();
  first.done();
  return true;
}

void partition_host::drain() {
  while (run_log_task() || end_log_task() || run_side_task()
         || end_side_task()) {
  }
}

void partition_host::pump() {
  if (side_tasks_.empty() && side_done_.empty())
    start_spare();
  start_roll();
  start_sync();
  if (core_->wants_snapshot())
    start_snapshot();
}

void partition_host::start_sync() {
  auto ticket = core_->begin_sync();
  if (!ticket)
    return;
  auto shared = std::make_shared<storage::sync_ticket>(std::move(*ticket));
  auto outcome = std::make_shared<result<void>>();
  log_tasks_.push_back({[=] { *outcome = shared->run(); },
                        [this, shared, outcome] {
                          if (auto done = core_->end_sync(*shared, *outcome);
                              !done)
                            return fail(done.error());
                          release();
                          start_sync();
                        }});
}

void partition_host::start_roll() {
  auto ticket = core_->begin_roll();
  if (!ticket)
    return;
  auto shared = std::make_shared<storage::roll_ticket>(std::move(*ticket));
  auto outcome = std::make_shared<result<void>>();
  log_tasks_.push_back({[=] { *outcome = shared->run(); },
                        [this, shared, outcome] {
                          if (auto done = core_->end_roll(*shared, *outcome);
                              !done)
                            return fail(done.error());
                          is_idle_ = false;
                        }});
}

void partition_host::start_spare() {
  auto ticket = core_->begin_spare();
  if (!ticket)
    return;
  auto shared = std::make_shared<storage::spare_ticket>(std::move(*ticket));
  auto outcome = std::make_shared<result<void>>();
  side_tasks_.push_back({[=] { *outcome = shared->run(); },
                         [this, shared, outcome] {
                           core_->end_spare(*shared, *outcome);
                           is_idle_ = false;
                         }});
}

// -- snapshots ----------------------------------------------------------------

void partition_host::start_snapshot() {
  if (is_snapshotting_)
    return;
  is_snapshotting_ = true;
  using outcome_type = std::optional<result<storage::snapshot_manifest>>;
  auto outcome = std::make_shared<outcome_type>();
  side_tasks_.push_back({[core = core_.get(), outcome] {
                           auto& storage = core->storage();
                           outcome->emplace(
                             storage.snapshots().copy(storage.state()));
                         },
                         [this, outcome] {
                           if (!**outcome)
                             return end_snapshot((*outcome)->error());
                           unpublished_ = (**outcome)->position();
                           release();
                         }});
}

void partition_host::publish_snapshot(position at) {
  using outcome_type = std::optional<result<storage::snapshot_retirement>>;
  auto outcome = std::make_shared<outcome_type>();
  side_tasks_.push_back(
    {[core = core_.get(), outcome, at, durable = core_->durable_position()] {
       auto& snapshots = core->storage().snapshots();
       if (auto done = snapshots.publish(at, durable); !done)
         outcome->emplace(done.error());
       else
         outcome->emplace(snapshots.retire());
     },
     [this, outcome] {
       end_snapshot(**outcome);
     }});
}

void partition_host::end_snapshot(
  const result<storage::snapshot_retirement>& outcome) {
  is_snapshotting_ = false;
  if (!outcome)
    return excuse(outcome.error());
  around_.to.note(outcome->compact_below.value);
  if (!outcome->damaged.empty() && !around_.disk.has_spoiled_snapshot())
    around_.to.breach("a snapshot is damaged that nobody has spoiled");
  if (auto done = core_->end_snapshot(*outcome); !done)
    fail(done.error());
}

} // namespace gnomon::simulation
