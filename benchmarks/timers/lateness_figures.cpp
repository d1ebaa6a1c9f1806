#include "benchmarks/timers/application.hpp"
#include "benchmarks/timers/figures.hpp"
#include "gnomon/check.hpp"
#include "messages/record_codec.hpp"
#include "storage/identity.hpp"
#include "storage/log_reader.hpp"
#include "storage/system_file_system.hpp"

#include <algorithm>
#include <thread>

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t timers_count = 200;
constexpr duration due_from{500};
constexpr duration due_within{5'000};

/// Appends how late the triggered events of a frame are.
void read_frame(const storage::frame_view& frame, std::vector<double>& into) {
  auto rest = frame.body;
  for (auto at = frame.header.first; !rest.empty(); ++at.value) {
    const auto record = messages::decode_record(rest, at);
    GNOMON_CHECK(bool(record));
    v1::TimerTriggered event;
    if (record->value_type != value_type::timer
        || record->intent.value != v1::TIMER_INTENT_TRIGGERED
        || !record->parse(event))
      continue;
    const auto late = record->timestamp - timestamp{event.due_ms()};
    into.push_back(static_cast<double>(late.count()));
  }
}

/// Returns how late each triggered event in a log is, in milliseconds.
std::vector<double> read_lateness(const std::filesystem::path& partition) {
  auto& files = storage::system_files();
  const auto identity = storage::read_identity(files, partition / "IDENTITY");
  GNOMON_CHECK(bool(identity));
  auto reader = storage::log_reader::open(files, partition / "log",
                                          identity->log, position{1});
  GNOMON_CHECK(bool(reader));
  std::vector<double> result;
  for (;;) {
    const auto frame = (*reader)->next(storage::read_all_written);
    GNOMON_CHECK(bool(frame));
    if (!*frame)
      return result;
    read_frame(**frame, result);
  }
}

std::vector<double> run_lateness(const plan& what, duration resolution) {
  const scratch_directory scratch{what.directory / "lateness"};
  application app;
  app.open({.directory = scratch.path(), .resolution = resolution});
  app.wait_until_open();
  const auto from = system_clock().wall() + due_from;
  app.submit_all(creations(timers_count, from, due_within), 2);
  std::this_thread::sleep_for(due_from + due_within + 3 * resolution
                              + duration{200});
  app.close();
  return read_lateness(scratch.path() / "partition-00001");
}

void print_lateness(figure_table& table, const plan& what, duration resolution,
                    double wanted_ms) {
  const auto late = run_lateness(what, resolution);
  const auto name
    = "lateness at " + std::to_string(resolution.count()) + " ms: ";
  table.at_least(name + "timers triggered", static_cast<double>(late.size()),
                 timers_count, "");
  if (late.empty())
    return;
  table.at_least(name + "earliest", percentile(late, 0), 0, "ms");
  table.show(name + "median", percentile(late, 0.5), "ms");
  table.at_most(name + "p99", percentile(late, 0.99), wanted_ms, "ms");
}

} // namespace

void measure_lateness(figure_table& table, const plan& what) {
  print_lateness(table, what, duration{100}, 110);
  print_lateness(table, what, duration{1}, 10);
}

} // namespace gnomon::benchmarks
