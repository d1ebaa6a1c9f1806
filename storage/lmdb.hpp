// Owners of LMDB's things. The only place, with its sources, that calls LMDB.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

struct MDB_env;
struct MDB_txn;
struct MDB_cursor;

namespace gnomon::storage::lmdb {

/// Handle of a named database within an environment; 0 means "none".
using database = unsigned int;

/// Longest key LMDB takes.
inline constexpr std::size_t key_bytes_max = 511;

/// Converts a code of LMDB. `attempted` reads like "commit".
error to_error(int code, const std::string& attempted);

enum class locking : std::uint8_t {
  /// Through `lock.mdb`; guards against a second opening in this process.
  shared,
  /// None: nobody ever writes the file.
  none,
};

enum class writing : std::uint8_t { allowed, refused };

struct environment_options {
  lmdb::writing writing = lmdb::writing::allowed;
  lmdb::locking locking = lmdb::locking::shared;
  std::uint64_t map_bytes = 0;
  std::uint32_t databases_max = 0;
  std::uint32_t readers_max = 0;
};

/// Returns whether `magic` (of statfs) is a file system of the network, where
/// memory maps and locks do not hold what LMDB relies on.
bool is_network_file_system(std::uint64_t magic);

/// Owns an open environment.
class environment {
public:
  /// Opens `directory`. Commits flush nothing; readers are not bound to
  /// threads. Drops reader slots that dead processes left behind.
  static result<environment> open(const path& directory,
                                  const environment_options& options);

  environment(environment&&) noexcept = default;

  result<void> sync();

  result<void> copy_compact(const path& to);

  /// Returns the bytes from the start of the file to the last page in use.
  std::uint64_t bytes_used() const;

  /// Returns how much of the map is not in use: what was never used, and what
  /// was freed. Reads the list of free pages.
  result<std::uint64_t> bytes_left() const;

  MDB_env* get() const {
    return env_.get();
  }

  /// Marks files as open in this process, while it lives.
  class claim;

private:
  struct close {
    void operator()(MDB_env* env) const;
  };

  environment();

  result<void> claim_files(const path& directory);

  result<void> open_claimed(const path& directory,
                            const environment_options& options);

  // Destroyed last: LMDB loses its locks if a file is opened twice.
  std::shared_ptr<claim> claim_;
  std::unique_ptr<MDB_env, close> env_;
};

/// Owns a transaction; destroying it aborts.
class transaction {
public:
  static result<transaction> begin(const environment& owner, writing mode);

  transaction(transaction&&) noexcept = default;

  transaction& operator=(transaction&&) noexcept = default;

  /// Ends the transaction, whatever the outcome.
  result<void> commit();

  void abort() {
    txn_.reset();
  }

  /// Opens a named database, or the one with their names if `name` is null.
  /// `errc::not_found` if there is none and this
  /// transaction may not write. The handle dies with an aborted transaction.
  result<database> open(const char* name, writing mode);

  MDB_txn* get() const {
    return txn_.get();
  }

private:
  struct end {
    void operator()(MDB_txn* txn) const;
  };

  explicit transaction(MDB_txn* txn) : txn_(txn) {
    // nop
  }

  std::unique_ptr<MDB_txn, end> txn_;
};

/// An entry; borrows from the transaction.
using entry = std::pair<bytes_view, bytes_view>;

/// Owns a cursor; destroy it before its transaction ends.
class cursor {
public:
  static result<cursor> open(const transaction& owner, database in);

  cursor(cursor&&) noexcept = default;

  cursor& operator=(cursor&&) noexcept = default;

  result<std::optional<bytes_view>> find(bytes_view key);

  /// Moves to the first entry with a key >= `from`.
  result<std::optional<entry>> seek(bytes_view from);

  result<std::optional<entry>> next();

  result<std::optional<entry>> last();

  result<void> put(bytes_view key, bytes_view value);

  /// As `put`, for a key above all others: leaves the pages before it full.
  result<void> append(bytes_view key, bytes_view value);

  /// Removes `key`. @returns Whether it was there.
  result<bool> erase(bytes_view key);

private:
  struct close {
    void operator()(MDB_cursor* cursor) const;
  };

  explicit cursor(MDB_cursor* impl) : cursor_(impl) {
    // nop
  }

  result<std::optional<entry>> move(bytes_view to, int operation,
                                    const char* attempted);

  result<void> write(bytes_view key, bytes_view value, unsigned flags);

  std::unique_ptr<MDB_cursor, close> cursor_;
};

/// Returns the number of entries.
result<std::uint64_t> count(const transaction& owner, database in);

} // namespace gnomon::storage::lmdb
