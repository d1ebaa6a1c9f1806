// What tests of state and snapshots share: a directory on a real file system,
// and a file system that fails or stops at its n-th call.

#pragma once

#include "storage/ports/file_system.hpp"
#include "storage/ports/state_store.hpp"
#include "storage/state_store.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::test {

/// A new directory under the system's, removed with this object.
class temp_directory {
public:
  temp_directory();

  ~temp_directory();

  temp_directory(const temp_directory&) = delete;

  temp_directory& operator=(const temp_directory&) = delete;

  const storage::path& get() const {
    return path_;
  }

private:
  storage::path path_;
};

/// Reads and replaces a real file.
bytes read_file(const storage::path& name);
void write_file(const storage::path& name, bytes_view content);

/// Flips the bit `index` (from 0) of a real file.
void flip_bit(const storage::path& name, std::size_t index);

/// Renders bytes as "0a ff".
std::string hexadecimal(bytes_view content);

/// Commits entries to `family`.
struct put {
  column_family family;
  bytes key;
  bytes value;
};

result<void> commit(storage::state_store_port& state,
                    const std::vector<put>& entries);

/// Commits entries together with the bookkeeping of `at`; the other members of
/// the bookkeeping follow from it.
result<void> commit_at(storage::state_store_port& state, std::uint64_t at,
                       const std::vector<put>& entries);

/// Returns all that is in `state`, as text.
std::string text_of(storage::state_store& state);

/// Decorates any file system: the n-th call from `fail_at` on fails.
///
/// Threads: one.
class failing_files final : public storage::file_system {
public:
  enum class kind {
    /// Only that call fails.
    once,
    /// That call and all behind it do nothing, as after a crash.
    crash,
  };

  explicit failing_files(storage::file_system& files) : files_(files) {
    // nop
  }

  /// Plans a failure of call number `call`, from 1.
  void fail_at(std::uint64_t call, kind what);

  /// Returns whether the planned failure has come.
  bool has_struck() const {
    return calls_ >= at_;
  }

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

  /// Counts a call. @returns The failure, if it is its turn.
  result<void> count();

private:
  storage::file_system& files_;
  std::uint64_t calls_ = 0;
  std::uint64_t at_ = UINT64_MAX;
  kind kind_ = kind::once;
};

} // namespace gnomon::test
