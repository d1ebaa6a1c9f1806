// Decides commands: the live half of the engine.

#pragma once

#include "engine/command_queue.hpp"
#include "engine/effect.hpp"
#include "engine/engine_options.hpp"
#include "engine/key_generator.hpp"
#include "engine/outstanding_commands.hpp"
#include "engine/record_batch.hpp"
#include "engine/record_processor_map.hpp"
#include "engine/resume_point.hpp"
#include "engine/retry_strategy.hpp"
#include "engine/step.hpp"
#include "gnomon/error.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/frame_log.hpp"
#include "storage/ports/state_store.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gnomon::engine {

enum class batch_status {
  /// Commands were processed, or none were there.
  processed,
  /// A failure is expected to pass; everything of the batch was undone. Call
  /// again after `batch_result::back_off`.
  backing_off,
  /// No space for the frame; everything of the batch was undone and its
  /// commands still wait. Call again when there may be space.
  out_of_space,
  /// Log or state failed; the outcome of what was in flight is unknown. Close
  /// both and open them again.
  poisoned,
};

/// What one batch led to.
struct batch_result {
  batch_status status = batch_status::processed;

  /// Records written; both none if there were none.
  position first;
  position last;

  /// Commands that have an outcome now, repeats and follow-ups among them.
  std::size_t commands = 0;

  /// To be released in this order, each once its position is durable.
  std::vector<queued_effect> effects;

  /// Whether commands are left: call again, behind what else waits.
  bool more_work = false;

  /// With `backing_off` only.
  duration back_off{0};

  /// Why, unless `processed`.
  std::optional<gnomon::error> failure;
};

/// Takes commands in batches; each becomes one state transaction and one frame
/// of the log, whole or not at all.
///
/// The sequence of records depends on the commands and timestamps only, not on
/// the batch limit or on attempts that failed in between.
///
/// Durability: a batch that was processed is written, not durable. Its effects
/// say which position must be durable before they are released.
///
/// Threads: one owner, the partition; reads no clock and blocks on nothing but
/// the ports.
class processing_state_machine {
public:
  /// Goes on at `from`, where replay or a trusted state ended. Everything
  /// passed by reference is borrowed and must outlive the machine.
  /// @pre `log.last_position() == from.book.last_applied`.
  processing_state_machine(const record_processor_map& processors,
                           storage::state_store_port& store,
                           storage::frame_log& log, partition_id owner,
                           resume_point from, engine_options options = {});

  processing_state_machine(const processing_state_machine&) = delete;
  processing_state_machine& operator=(const processing_state_machine&) = delete;

  /// Writes PARTITION OPENED, the first record of an epoch, in a frame of its
  /// own. It must be synced before clients are accepted.
  batch_result open_epoch(std::uint64_t epoch, timestamp now);

  /// Processes outstanding follow-up commands, then commands of `pending`, and
  /// takes off the queue those that have an outcome.
  /// @param now  Partition time; an earlier one than before counts as before.
  batch_result process_batch(command_queue& pending, timestamp now);

  /// Says whether log or state failed; nothing is processed any more.
  bool poisoned() const {
    return poison_.has_value();
  }

  /// Returns what the state says about itself after the last batch.
  const storage::state_bookkeeping& bookkeeping() const {
    return book_;
  }

  /// Returns the kinds of the records of the last batch, if it was written;
  /// until the next one.
  std::span<const record_kind> last_kinds() const {
    return batch_.kinds();
  }

  /// Returns how many follow-up commands are logged, but not processed.
  std::size_t outstanding_count() const {
    return outstanding_.size();
  }

  /// Returns how many commands the next batch may take.
  std::size_t batch_limit() const {
    return limit_;
  }

private:
  enum class attempt_status { done, failed, poisoned, out_of_space };

  /// One try at a batch, and how far it came.
  struct attempt {
    attempt_status status = attempt_status::done;
    std::size_t commands = 0;
    std::size_t from_queue = 0;
    std::optional<gnomon::error> failure;
  };

  /// Commands that were stamped already when their batch was undone.
  struct held_stamp {
    timestamp stamp;
    std::size_t commands = 0;
  };

  using transaction_ptr = std::unique_ptr<storage::write_transaction>;

  result<transaction_ptr> begin();

  step_context context(storage::write_transaction& state);

  attempt try_batch(const command_queue& pending, std::size_t limit);

  attempt process_commands(step& work, const command_queue& pending,
                           std::size_t limit);

  attempt write(storage::write_transaction& state, const step& work,
                attempt done);

  storage::state_bookkeeping
  bookkeeping_behind(const step& work, storage::chain_value chain) const;

  batch_result resolve(command_queue& pending, gnomon::error what);

  batch_result give_up(command_queue& pending, const gnomon::error& what,
                       ask_processor ask);

  attempt try_rejection(const command_queue& pending, const gnomon::error& what,
                        ask_processor ask, processing_error& chosen);

  batch_result conclude(attempt tried, command_queue* pending);

  batch_result keep(const attempt& done, command_queue* pending);

  batch_result back_off(gnomon::error why, duration wait) const;

  batch_result poison(gnomon::error why);

  void undo();

  const record_processor_map* processors_;
  storage::state_store_port* store_;
  storage::frame_log* log_;
  engine_options options_;
  key_generator keys_;
  storage::state_bookkeeping book_;
  storage::state_bookkeeping next_book_;
  outstanding_commands outstanding_;
  record_batch batch_;
  std::vector<queued_effect> effects_;

  /// How many the last batch had.
  std::size_t effects_last_ = 0;
  recoverable retries_;
  timestamp stamp_;
  held_stamp held_;
  std::size_t limit_;
  std::optional<gnomon::error> poison_;
};

} // namespace gnomon::engine
