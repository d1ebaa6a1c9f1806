// State of a partition in LMDB: derived from the log, and disposable.

#pragma once

#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/ports/state_store.hpp"

#include <cstdint>
#include <memory>

namespace gnomon::storage {

/// How a state is opened.
enum class state_access : std::uint8_t {
  /// By the partition that owns it. Creates what is missing.
  read_write,
  /// Beside the owner, from this or another process. Never writes, but takes a
  /// slot in the reader table.
  read_only,
  /// A copy that nobody writes: no locks, no lock file.
  sealed_copy,
};

struct state_store_options {
  state_access access = state_access::read_write;

  /// Address space for the state, and so its largest size. Costs nothing until
  /// used; fixed while the state is open.
  std::uint64_t map_bytes = std::uint64_t{64} << 30;

  /// How many column families there may be.
  std::uint32_t families_max = 128;

  /// How many readers there may be at once, over all processes.
  std::uint32_t readers_max = 126;
};

/// Owns the LMDB environment of one partition.
///
/// A commit is not durable and costs no flush; that is safe only because the
/// state is deleted unopened after an OS crash (see `judge`) and rebuilt from
/// the log.
///
/// After a failed commit or sync the store refuses further work with
/// `errc::io_error`. Close it, distrust it, and recover.
///
/// Threads: `begin` and its transaction belong to one thread, the partition's.
/// `reader`, `sync`, `copy_to` may be called from any thread meanwhile. Close
/// it (destroy it) after its transactions and readers.
class state_store final : public state_store_port {
public:
  /// Opens the state in `directory`, creating both if they are missing and
  /// `options.access` allows it. Only a *trusted* state may be opened: LMDB may
  /// abort the process on a damaged one.
  /// @returns `errc::in_use` if this process has it open already (sealed copies
  ///          apart), by whatever path;
  ///          `errc::invalid_argument` if `map_bytes` of address space are not
  ///          to be had or the file system is a network's;
  ///          `errc::not_found` if there is none to read.
  static result<std::unique_ptr<state_store>>
  open(const path& directory, const state_store_options& options = {});

  ~state_store() override;

  /// Begins the one write transaction. `errc::invalid_state` unless opened for
  /// writing.
  /// @pre The transaction before has ended.
  result<std::unique_ptr<write_transaction>> begin() override;

  /// Returns a view of what was committed last. It stays as it is, and keeps
  /// LMDB from reusing pages, while it lives: keep it short. One thread at a
  /// time uses it, not necessarily the one that created it.
  result<std::unique_ptr<state_reader>> reader();

  /// Makes all commits so far durable. Blocks; a failure is final.
  result<void> sync();

  /// Copies what was committed last, without unused pages, into the new file
  /// `name`, while the owner goes on. Blocks; not durable until `name` is
  /// synced.
  result<void> copy_to(const path& name);

  /// Returns the size the state has reached on disk; it never shrinks.
  std::uint64_t bytes_used() const;

  /// Returns how much of `map_bytes` is not in use. A batch that finds the map
  /// full is `errc::out_of_space` at best and a failed commit at worst, and
  /// even erasing needs some pages: refuse new work while there is a reserve.
  /// Reads the list of free pages.
  result<std::uint64_t> bytes_left() const;

private:
  class environment;
  class view;
  class transaction;

  explicit state_store(std::unique_ptr<environment> impl);

  std::unique_ptr<environment> environment_;
};

/// Returns the name of the file in a state's directory that holds all of it.
inline constexpr const char* state_file_name = "data.mdb";

} // namespace gnomon::storage
