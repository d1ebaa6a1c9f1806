#include "tests/enumeration/scenarios.hpp"

namespace gnomon::enumeration {

namespace {

constexpr duration second{1'000};
constexpr duration hour{3'600'000};
constexpr duration year{365 * 24 * hour};

void nothing(stage&) {
  // nop
}

void open_with_timers(stage& on) {
  on.open();
  on.create(second);
  on.create(hour, "a");
  on.create(year, "b");
  on.settle();
}

/// Fills a bit more than half a segment.
void fill_half(stage& on) {
  for (int i = 0; i < 3; ++i)
    on.create(hour, "", 3'000);
  on.settle();
}

void create(stage& on) {
  on.open();
  on.create(second);
  on.settle();
}

void commit_in_groups(stage& on) {
  for (int round = 0; round < 2; ++round) {
    on.create(second);
    on.turn();
    on.run_log_task();
    on.create(hour, "a");
    on.turn();
    on.end_log_task();
  }
  on.settle();
}

void roll(stage& on) {
  fill_half(on);
  fill_half(on);
  on.create(second);
  on.settle();
}

void take_snapshot(stage& on) {
  on.snapshot();
  on.create(second);
  on.settle();
  on.create(hour);
  on.settle();
}

void open_with_two_snapshots(stage& on) {
  open_with_timers(on);
  for (int i = 0; i < 2; ++i) {
    fill_half(on);
    fill_half(on);
    on.snapshot();
    on.settle();
  }
}

void cancel_and_move(stage& on) {
  on.reschedule(2 * hour);
  on.settle();
  on.cancel();
  on.settle();
  on.cancel();
  on.settle();
}

void open_with_many_due(stage& on) {
  on.open();
  for (int i = 0; i < 10; ++i)
    on.create(second, i % 2 == 0 ? "a" : "");
  on.settle();
}

void trigger_all(stage& on) {
  on.advance(second);
  on.scan_due();
  on.create(hour);
  on.settle();
}

void open_with_worker(stage& on) {
  on.open();
  on.subscribe("a");
  for (int i = 0; i < 3; ++i)
    on.create(second, "a");
  on.settle();
  on.advance(second);
}

void work(stage& on) {
  on.scan_due();
  for (int round = 0; round < 3; ++round) {
    on.settle();
    on.complete_all();
  }
  on.settle();
}

void leave_killed(stage& on) {
  open_with_timers(on);
  on.create(second);
  on.turn();
  on.kill_process();
}

void leave_without_power(stage& on) {
  open_with_two_snapshots(on);
  on.create(second);
  on.settle();
  on.cut_power({});
}

void leave_closed(stage& on) {
  open_with_timers(on);
  on.close();
}

void open(stage& on) {
  on.open();
  on.settle();
}

void close(stage& on) {
  on.create(second);
  on.turn();
  on.close();
}

void open_and_close(stage& on) {
  on.open();
  on.close();
}

constexpr scenario all[] = {
  {"Create", nothing, create},
  {"CommitInGroups", open_with_timers, commit_in_groups},
  {"Roll", open_with_timers, roll},
  {"Snapshot", open_with_timers, take_snapshot},
  {"Compact", open_with_two_snapshots, take_snapshot},
  {"CancelAndMove", open_with_timers, cancel_and_move},
  {"Trigger", open_with_many_due, trigger_all},
  {"Work", open_with_worker, work},
  {"RecoverFromAKill", leave_killed, open},
  {"RecoverFromAPowerCut", leave_without_power, open},
  {"Close", open_with_timers, close},
  {"KeepStamps", leave_closed, open_and_close},
};

} // namespace

std::span<const scenario> scenarios() {
  return all;
}

} // namespace gnomon::enumeration
