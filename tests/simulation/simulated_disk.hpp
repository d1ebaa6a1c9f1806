// The disk of a simulated machine: in memory, but for what LMDB maps.

#pragma once

#include "storage/frame.hpp"
#include "storage/ports/file_system.hpp"
#include "tests/simulation/state_faults.hpp"
#include "tests/support/memory_file_system.hpp"
#include "tests/support/seeded_random.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::simulation {

/// Thrown out of the call at which the process ends, so that nothing of it goes
/// on.
struct process_end {};

/// Sees what happens to the log.
class disk_observer {
public:
  virtual ~disk_observer() = default;

  /// A frame is about to be written; it may arrive whole, in part or not.
  virtual void writes(const storage::frame_header& frame, bytes_view body) = 0;

  /// The frame written last is not there: the device was full.
  virtual void takes_back() = 0;

  /// All frames up to the one that ends at `last` are on the disk, if those
  /// before it are.
  virtual void synced(position last) = 0;
};

/// A fault of calls to come.
struct call_fault {
  enum class kind { io_error, out_of_space, process_end };

  kind what = kind::io_error;

  /// The first call that fails, from 1.
  std::uint64_t at_call = 1;

  /// How many calls fail in a row.
  std::uint64_t times = 1;
};

/// File system in memory with power cuts and failing calls. LMDB needs real
/// files: states, and copies of states in the making, lie in a directory of the
/// machine's, under the same names. A killed process leaves them; a power cut
/// leaves rubbish unless they were synced.
class simulated_disk final : public storage::file_system {
public:
  /// @param root  Directory for real files, of this disk alone.
  simulated_disk(storage::path root, disk_observer& observer,
                 std::uint64_t seed);

  ~simulated_disk() override;

  // -- faults -----------------------------------------------------------------

  /// Plans a fault, replacing another one.
  void arm(const call_fault& what) {
    armed_ = what;
  }

  void disarm() {
    armed_ = std::nullopt;
  }

  /// Returns how many calls have failed.
  std::uint64_t failed_calls() const {
    return failed_calls_;
  }

  std::uint64_t calls() const {
    return calls_;
  }

  /// A process begins that has written nothing yet.
  void begin_process() {
    written_.clear();
  }

  /// Whether a call was the last one of the process. Those of the port throw;
  /// LMDB's fail, since no exception may leave them.
  bool has_ended() const {
    return has_ended_;
  }

  void kill_process();

  void cut_power(const test::survivors& what);

  std::size_t unsynced_changes() const {
    return memory_.unsynced_changes();
  }

  /// Flips a bit of the newest snapshot, on the disk too, if there is one. Does
  /// it once: a partition needs one of its two.
  void spoil_newest_snapshot(std::uint64_t detail);

  bool has_spoiled_snapshot() const {
    return has_spoiled_snapshot_;
  }

  std::vector<std::string> violations() const {
    return memory_.violations();
  }

  // -- port -------------------------------------------------------------------

  result<std::unique_ptr<storage::file>> open(const storage::path& name,
                                              storage::open_mode mode) override;

  result<std::unique_ptr<storage::file_lock>>
  lock(const storage::path& name) override;

  result<void> rename(const storage::path& from,
                      const storage::path& to) override;

  result<void> remove(const storage::path& name) override;

  result<void> sync_directory(const storage::path& directory) override;

  result<void> create_directories(const storage::path& directory) override;

  result<void> remove_all(const storage::path& directory) override;

  result<std::vector<std::string>>
  list(const storage::path& directory) override;

  result<bool> exists(const storage::path& name) override;

  result<storage::file_identity> identity(const storage::path& name) override;

private:
  friend class simulated_file;

  enum class access { reads, changes, grows };

  /// Counts a call. @returns The error it must answer, if any.
  std::optional<error> call(access kind, const char* action);

  bool strikes(access kind);

  /// Returns an error number if that call of LMDB must fail, else 0.
  int judge(state_call what);

  /// Lets memory know of a file that LMDB has made meanwhile.
  void notice(const storage::path& name);

  void spoil_state();

  void begin_boot();

  storage::path root_;
  disk_observer& observer_;
  test::seeded_random random_;
  test::memory_file_system memory_;
  std::optional<call_fault> armed_;
  std::uint64_t calls_ = 0;
  std::uint64_t failed_calls_ = 0;
  std::uint64_t boots_ = 0;
  bool has_ended_ = false;
  bool has_spoiled_snapshot_ = false;
  bool is_state_synced_ = false;

  /// A sync of the state has failed: what it lost is lost for good.
  bool is_state_doomed_ = false;

  /// The last frame written to a file of the log, by its inode.
  std::map<std::uint64_t, position> written_;

  state_faults faults_of_state_{[this](state_call what) {
    return judge(what);
  }};
};

} // namespace gnomon::simulation
