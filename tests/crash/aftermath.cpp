#include "tests/crash/aftermath.hpp"

#include "gnomon/clock.hpp"
#include "storage/log_reader.hpp"
#include "tests/partitions/driven_partition.hpp"
#include "tests/simulation/log_model.hpp"
#include "tests/simulation/replay.hpp"

#include <sstream>

namespace gnomon::crash {

namespace {

using simulation::log_model;

/// Hands all frames to the model, as if they were being written.
result<void> read_into(log_model& model, const storage::log& log,
                       storage::file_system& files, storage::log_id id) {
  auto reader
    = storage::log_reader::open(files, log.directory(), id, position{1});
  if (!reader)
    return reader.error();
  std::uint64_t epoch = 0;
  while ((*reader)->last_position() < log.last_position()) {
    const auto frame = (*reader)->next(log.last_position());
    if (!frame)
      return frame.error();
    const auto& header = (*frame)->header;
    if (std::exchange(epoch, header.epoch) != header.epoch)
      model.begin_process();
    model.synced(header.durable);
    model.writes(header, (*frame)->body);
  }
  return {};
}

std::string missing(const log_model& log,
                    const acknowledged_outcomes& acknowledged) {
  for (const auto& [at, about] : acknowledged) {
    const auto* found = log.find(at);
    if (!found || found->key != about
        || found->record_type == record_type::command)
      return "the outcome of key " + std::to_string(about.value)
             + " was acknowledged at position " + std::to_string(at.value)
             + ", and is not there";
  }
  return {};
}

std::string overdue(const log_model& log, timestamp now) {
  for (const auto& [key, timer] : log.timers().waiting())
    if (timer.due <= now)
      return "timer " + std::to_string(key) + " is due and still waits";
  return {};
}

} // namespace

void note(const std::string& line, acknowledged_outcomes& into) {
  if (line.empty() || line.back() != '.')
    return;
  std::istringstream in{line};
  std::uint64_t at = 0;
  std::uint64_t about = 0;
  if (in >> at >> about)
    into[{at}] = {about};
}

std::string judge(const partition_options& options,
                  const acknowledged_outcomes& acknowledged) {
  const auto& time = system_clock();
  test::driven_partition partition{time, options};
  if (auto opened = partition.try_open(); !opened)
    return "open: " + to_string(opened.error());
  const auto now = time.wall();
  partition.run();
  auto& storage = partition.core().storage();
  simulation::trace trace;
  log_model log{trace, {options.catch_up_grace, options.catch_up_max}};
  log.saw(time.wall());
  if (auto done = read_into(log, storage.log(), storage.files(),
                            storage.directory().identity().log);
      !done)
    return "read the log: " + to_string(done.error());
  {
    const auto view = partition.core().view();
    if (!view)
      return "read the state: " + to_string(view.error());
    for (auto fault :
         {trace.first_breach(), missing(log, acknowledged), overdue(log, now),
          simulation::difference_from_replay(log, **view, options),
          simulation::difference_from_model(log, **view)})
      if (!fault.empty())
        return fault;
  }
  partition.close();
  return {};
}

} // namespace gnomon::crash
