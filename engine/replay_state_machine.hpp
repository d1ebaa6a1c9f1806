// Brings the state forward from the log: the other half of the engine.

#pragma once

#include "engine/resume_point.hpp"
#include "gnomon/position.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/bookkeeping.hpp"
#include "storage/ports/frame_log.hpp"
#include "storage/ports/state_store.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace gnomon::engine {

class record_processor_map;

/// A frame read back from the log. Borrows its bytes.
struct replay_frame {
  storage::frame_body body;

  /// Checksum of this frame.
  storage::chain_value chain;
};

/// Applies the events of frames behind the last applied position; decides
/// nothing, writes no records, releases no effects.
///
/// A crash in the middle is harmless: the state carries the position it has
/// reached, and replay goes on there.
///
/// Threads: one owner. A state transaction is open between `replay` and
/// `commit`; both belong on one thread, inside one message handler.
class replay_state_machine {
public:
  /// Goes on behind `from`, as loaded from the state. Everything passed by
  /// reference is borrowed and must outlive the machine.
  /// @param records_per_commit_max  Records applied before the state is
  ///                                committed in between.
  replay_state_machine(const record_processor_map& processors,
                       storage::state_store_port& store,
                       storage::state_bookkeeping from,
                       std::size_t records_per_commit_max = 10'000);

  /// Returns the position at which reading the log must begin, at the latest.
  /// It is at or below the last applied position only if commands that are
  /// logged there are outstanding.
  position read_from() const;

  /// Takes the next frame. One at or below the last applied position is only
  /// searched for outstanding commands.
  /// @returns `errc::corrupted` for a frame that does not follow or does not
  ///          decode, `errc::format_too_new` for a kind of record that nobody
  ///          knows, or the failure of the state. The machine is done then.
  result<void> replay(const replay_frame& frame);

  /// Commits what was applied since the last commit.
  result<void> commit();

  /// Commits and hands over to live processing. Call once, behind the last
  /// frame of the log.
  /// @returns `errc::format_too_new` if nobody decides an outstanding command,
  ///          `errc::lost_data` if reading did not begin at `read_from`.
  result<resume_point> finish();

  /// Returns what the state says about itself once committed.
  const storage::state_bookkeeping& bookkeeping() const {
    return book_;
  }

private:
  /// A command and where its encoded bytes begin in the frame.
  struct logged_command {
    gnomon::position position;
    std::size_t offset;
  };

  result<void> check_follows(const storage::frame_body& body) const;

  result<void> apply_records(const storage::frame_body& body, bool applied);

  result<void> apply(const typed_record& met);

  void collect_outstanding(const storage::frame_body& body);

  result<void> ensure_transaction();

  result<void> fail(gnomon::error why);

  const record_processor_map* processors_;
  storage::state_store_port* store_;
  storage::state_bookkeeping book_;
  std::size_t records_per_commit_max_;
  position expected_;
  std::unique_ptr<storage::write_transaction> state_;
  std::size_t uncommitted_ = 0;
  std::vector<logged_command> commands_;
  typed_record command_;
  std::deque<record> outstanding_;
};

} // namespace gnomon::engine
