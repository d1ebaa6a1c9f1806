#include "tests/simulation/replay.hpp"

#include "engine/record_processor_map.hpp"
#include "engine/replay_state_machine.hpp"
#include "jobs/job_queries.hpp"
#include "storage/state_content.hpp"
#include "tests/support/memory_state.hpp"
#include "timers/timer_queries.hpp"

#include "partitions/library_processors.hpp"

namespace gnomon::simulation {

namespace {

constexpr timers::query_limits everything{1'000'000, 10'000'000};

result<void> replay_all(const log_model& log, test::memory_state& into,
                        const partition_options& options) {
  const auto owned = partitions::library_processors(options);
  std::vector<record_processor*> borrowed;
  for (const auto& each : owned)
    borrowed.push_back(each.get());
  const auto map
    = engine::record_processor_map::make(borrowed, borrowed.size());
  if (!map)
    return map.error();
  engine::replay_state_machine machine{*map, into, {}};
  for (const auto& [header, body] : log.frames())
    if (auto done = machine.replay(
          {{header.first, header.record_count, header.next_key, body},
           header.checksum});
        !done)
      return done;
  return machine.commit();
}

std::string first_difference(const std::string& expected,
                             const std::string& found) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
    if (expected[i] != found[i])
      break;
    if (expected[i] == '\n')
      begin = i + 1;
  }
  const auto line = [&](const std::string& from) {
    return from.substr(
      begin, std::min<std::size_t>(160, from.find('\n', begin) - begin));
  };
  return "expected \"" + line(expected) + "\", but found \"" + line(found)
         + "\"";
}

std::string describe(std::uint64_t key, timestamp due, std::uint64_t number) {
  return std::to_string(key) + " due " + std::to_string(due.value) + " no. "
         + std::to_string(number) + "\n";
}

std::string describe(std::uint64_t key, const std::string& worker,
                     std::uint32_t activation) {
  return std::to_string(key) + " with \"" + worker + "\" no. "
         + std::to_string(activation) + "\n";
}

} // namespace

std::string difference_from_replay(const log_model& log,
                                   const state_reader& live,
                                   const partition_options& options) {
  test::memory_state replayed;
  if (auto done = replay_all(log, replayed, options); !done)
    return "replay failed: " + to_string(done.error());
  const auto view = replayed.begin();
  const auto expected = storage::content_hash(**view);
  const auto found = storage::content_hash(live);
  if (!found)
    return "read the state: " + to_string(found.error());
  if (*expected == *found)
    return {};
  return "state differs from its log: "
         + first_difference(*storage::content_text(**view),
                            *storage::content_text(live));
}

std::string difference_from_model(const log_model& log,
                                  const state_reader& live) {
  std::string expected;
  std::string found;
  for (const auto& [key, timer] : log.timers().waiting())
    expected += describe(key, timer.due, timer.occurrence);
  for (const auto& timer : timers::list_timers(live, {}, {}, everything).timers)
    found += describe(timer.key.value, timer.due, timer.occurrence);
  for (const auto& [key, job] : log.jobs().open())
    expected += describe(key, job.worker, job.activation);
  for (const auto& job : jobs::list_jobs(live, {}, {}, everything).jobs)
    found += describe(job.key.value, job.worker, job.activation);
  return expected == found ? ""
                           : "queries differ from the model: "
                               + first_difference(expected, found);
}

} // namespace gnomon::simulation
