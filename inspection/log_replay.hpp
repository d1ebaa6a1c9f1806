// Makes a state from the log, in a folder of its own, with the appliers that
// the library has.

#pragma once

#include "engine/record_processor_map.hpp"
#include "engine/replay_state_machine.hpp"
#include "gnomon/record_processor.hpp"
#include "storage/log_reader.hpp"
#include "storage/state_store.hpp"

#include "inspection/partition_folder.hpp"
#include "inspection/progress.hpp"
#include <memory>
#include <set>
#include <vector>

namespace gnomon::inspection {

/// Stands for the users' processors, which nobody here knows: takes the events
/// of their value types without applying them, and notes which came by.
class foreign_processor : public record_processor {
public:
  bool accepts(value_type type, intent what, record_type kind) const override;

  void process(const typed_record& command, result_builder& out) override;

  void replay(const typed_record& event, state_transaction& state) override;

  processing_error on_processing_error(const error& what,
                                       const typed_record& command,
                                       result_builder& out) override;

  const std::set<value_type>& met() const {
    return met_;
  }

private:
  std::set<value_type> met_;
};

/// Replays a log into a state of its own. Column families of the users are not
/// brought forward.
///
/// Threads: one owner; `run_to` begins and ends its transactions on the thread
/// that calls it.
class log_replay {
public:
  /// Begins with the snapshot at `from`, or with nothing at all.
  /// @param files    Borrowed; must outlive this object.
  /// @param scratch  Where to make the state; must exist.
  static result<std::unique_ptr<log_replay>>
  begin(storage::file_system& files, const partition_folder& folder,
        storage::log_id id, position from, const storage::path& scratch);

  ~log_replay();

  /// Replays up to the frame that ends at `target`, or, if there is no such
  /// frame, up to the last one before it.
  /// @param target  `storage::read_all_written` for all there is.
  result<void> run_to(position target, progress& watcher);

  /// Returns what the state says about itself.
  const storage::state_bookkeeping& bookkeeping() const {
    return machine_->bookkeeping();
  }

  storage::state_store& state() {
    return *state_;
  }

  /// Returns the users' value types whose events could not be applied.
  const std::set<value_type>& foreign_types() const {
    return foreign_->met();
  }

private:
  log_replay(storage::file_system& files, partition_folder folder,
             storage::log_id id);

  result<void> open_state(position from, const storage::path& scratch);

  result<void> make_processors();

  storage::file_system& files_;
  partition_folder folder_;
  storage::log_id id_;
  std::vector<std::unique_ptr<record_processor>> processors_;
  foreign_processor* foreign_ = nullptr;
  std::unique_ptr<engine::record_processor_map> map_;
  std::unique_ptr<storage::state_store> state_;
  std::unique_ptr<engine::replay_state_machine> machine_;
  std::unique_ptr<storage::log_reader> reader_;
};

} // namespace gnomon::inspection
