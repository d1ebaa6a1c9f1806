// A partition over memory that takes what clients and workers send as bytes.

#pragma once

#include "engine/processing_state_machine.hpp"
#include "engine/replay_state_machine.hpp"
#include "gnomon/record_processor.hpp"
#include "tests/support/memory_log.hpp"
#include "tests/support/memory_state.hpp"

#include "partitions/due_scan.hpp"
#include "partitions/job_dispatcher.hpp"
#include "partitions/library_processors.hpp"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::fuzz {

/// The processors of the library behind the real engine.
class wire_partition {
public:
  wire_partition();

  // Each takes the bytes of a message; one that cannot be read does nothing.

  void submit(bytes_view request);

  void ask(bytes_view query);

  void subscribe(bytes_view request);

  void control(bytes_view request);

  /// Lets the clock go on and triggers what is due.
  void advance(std::uint64_t ms);

  /// Ends the worker that subscribed first.
  void end_worker();

  /// Checks that replaying the log gives the state that processing gave.
  void check_replay() const;

private:
  using processors = std::vector<std::unique_ptr<record_processor>>;

  void propose(std::vector<record> commands);

  void process();

  processors processors_;
  engine::record_processor_map map_;
  test::memory_state state_;
  test::memory_log log_;
  engine::command_queue queue_;
  engine::processing_state_machine machine_;
  partitions::due_scan scan_{duration{100}};
  partitions::job_dispatcher dispatcher_{64};
  std::vector<std::string> workers_;
  timestamp now_{1'704'067'200'000};
};

} // namespace gnomon::fuzz
