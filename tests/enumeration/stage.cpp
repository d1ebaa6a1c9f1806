#include "tests/enumeration/stage.hpp"

#include "gnomon/commands.hpp"

namespace gnomon::enumeration {

namespace {

/// More than that without rest: something that only time changes.
constexpr int rounds_max = 60;

partition_options small_options(const storage::path& scratch) {
  partition_options result;
  result.directory = scratch;
  result.commands_per_batch_max = 4;
  // Small ones, so that a few commands fill a segment.
  result.batch_bytes_max = 8 << 10;
  result.segment_bytes = 16 << 10;
  result.payload_bytes_max = 4'000;
  result.resolution = duration{1};
  result.map_bytes = 16 << 20;
  // By hand only.
  result.snapshot_log_bytes = 0;
  return result;
}

} // namespace

stage::stage(const storage::path& scratch)
  : simulated_partition(small_options(scratch), 1) {
  // nop
}

// -- scripts ------------------------------------------------------------------

void stage::open() {
  if (!host_.is_open())
    host_.open();
  act([] {});
}

void stage::close() {
  act([this] { host_.close(); });
}

void stage::submit(const v1::Command& what) {
  act([&] { host_.submit(simulation::to_record(what)); });
}

void stage::create(duration after, const char* target,
                   std::size_t payload_bytes) {
  create_timer wanted;
  wanted.when = after;
  wanted.target = target;
  wanted.payload = bytes(payload_bytes, 'p');
  submit(to_command(wanted));
}

void stage::cancel() {
  const auto& waiting = log_.timers().waiting();
  if (!waiting.empty())
    submit(to_command(cancel_timer{{waiting.begin()->first}, {}}));
}

void stage::reschedule(duration after) {
  const auto& waiting = log_.timers().waiting();
  if (waiting.empty())
    return;
  reschedule_timer wanted;
  wanted.key = {waiting.begin()->first};
  wanted.when = after;
  submit(to_command(wanted));
}

void stage::subscribe(const char* target) {
  act([&] { host_.subscribe({target, 2, duration{60'000}}); });
}

void stage::complete_all() {
  for (const auto& answer : user_.finish_all())
    act([&] { host_.submit(answer); });
}

void stage::snapshot() {
  act([this] { host_.start_snapshot(); });
}

void stage::advance(duration by) {
  simulated_partition::advance(by);
}

void stage::scan_due() {
  act([this] { host_.scan_due(); });
}

void stage::turn() {
  act([this] { host_.turn(); });
}

void stage::run_log_task() {
  act([this] { host_.run_log_task(); });
}

void stage::end_log_task() {
  act([this] { host_.end_log_task(); });
}

void stage::settle() {
  for (int i = 0; i < rounds_max && host_.is_open(); ++i) {
    act([this] { host_.look_at_due(); });
    turn();
    act([this] { host_.drain(); });
    act([this] { host_.release(); });
    if (host_.is_open() && host_.is_quiet())
      return;
  }
}

// -- those who break it -------------------------------------------------------

std::string stage::verdict() {
  liveness();
  if (host_.is_open())
    host_.close();
  // What was closed without a fault needs nothing that was not synced.
  cut_power({});
  host_.open();
  if (host_.is_open())
    check_state();
  else
    trace_.breach("cannot be opened after it was closed");
  host_.drop();
  if (const auto found = disk_.violations(); !found.empty())
    trace_.breach("disk: " + found.front());
  return trace_.first_breach();
}

} // namespace gnomon::enumeration
