// One partition's engine over the fakes: what the tests of the engine share.

#pragma once

#include "engine/command_queue.hpp"
#include "engine/processing_state_machine.hpp"
#include "engine/record_processor_map.hpp"
#include "engine/replay_state_machine.hpp"
#include "examples/account/account_processor.hpp"
#include "tests/engine/probe_processor.hpp"
#include "tests/support/memory_log.hpp"
#include "tests/support/memory_state.hpp"

#include "account.pb.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::test {

inline constexpr partition_id owner{3};

/// An engine that can be stopped and brought back from its log.
class engine_under_test {
public:
  explicit engine_under_test(engine::engine_options with = {})
    : options(with), map(make_map()), queue(map, with) {
    start();
  }

  /// Replays what the log has behind the state, and goes live.
  void start();

  /// Stops, and forgets the state.
  void stop_and_forget() {
    live.reset();
    state.restore({});
  }

  /// Offers a command of a client that waits for the answer to `request`.
  result<void> ask(record command, std::uint64_t request = 0) {
    return queue.offer(
      {std::move(command), request, engine::command_origin::client});
  }

  /// Offers a command of the partition itself.
  result<void> propose(record command) {
    return queue.offer(
      {std::move(command), 0, engine::command_origin::proposal});
  }

  /// Processes one batch and keeps its effects.
  engine::batch_result batch();

  /// Processes batches until nothing is left or one is not processed.
  engine::batch_result run();

  /// Returns the answers so far, in order.
  std::vector<engine::reply> replies() const;

  /// Returns the answer to `request`.
  /// @pre There is one.
  record answer_to(std::uint64_t request) const;

  /// Returns "command", "event", "rejection" of each record, with its intent
  /// and source, e.g., "E2<1".
  std::string shape() const;

  engine::engine_options options;
  bank::account_processor accounts;
  probe_processor probe;
  engine::record_processor_map map;
  memory_state state;
  memory_log log;
  engine::command_queue queue;
  std::optional<engine::processing_state_machine> live;
  std::vector<engine::queued_effect> effects;
  timestamp now{1'000};

private:
  engine::record_processor_map make_map();
};

/// Returns the state that replaying the first `frame_count` frames of `log`
/// gives, and where processing would go on.
struct replayed {
  memory_state state;
  engine::resume_point end;
};
replayed replay_prefix(const engine::record_processor_map& map,
                       const memory_log& log, std::size_t frame_count);

/// A command to the probe.
record probe_command(std::string value, std::uint64_t about = 7,
                     std::uint64_t scope = 0);

/// A command to the accounts with an amount.
record account_command(bank::AccountIntent what, key account = {},
                       std::int64_t cents = 0);

record transfer_command(key from, key to, std::int64_t cents);

/// Returns `command` with an idempotency key.
record with_key(record command, std::string idempotency_key);

} // namespace gnomon::test
