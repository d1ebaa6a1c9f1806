// A file system that fails or crashes at the n-th call.

#pragma once

#include "storage/ports/file_system.hpp"
#include "tests/support/memory_file_system.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::test {

/// A fault that waits for its call. Plain value.
struct fault {
  enum class kind {
    /// The call fails; later ones work.
    once,
    /// The call fails and so do all later ones that change something.
    sticky,
    /// The call does nothing and neither does any later one, until `restart`.
    crash,
  };

  kind what = kind::once;

  /// Number of the call from now, from 1.
  std::uint64_t at_call = 1;

  /// What a failing call answers.
  errc code = errc::io_error;
};

/// Decorates a memory file system. Counts every call of the port, so that a
/// test can loop over `at_call = 1, 2, ...` until nothing is injected any more.
///
/// A failing write leaves the first half of its bytes; a failing sync loses
/// what was to be synced for good, though reads go on to show it until the
/// cache is dropped, and later syncs succeed.
///
/// Threads: as those of the port; inject and restart while nobody calls.
class faulty_file_system : public storage::file_system {
public:
  /// @param files  Borrowed; must outlive this.
  explicit faulty_file_system(memory_file_system& files);

  ~faulty_file_system() override;

  /// Plans a fault, replacing another one.
  void inject(const fault& what);

  /// Drops the planned fault.
  void heal();

  /// Cuts the power, keeps `what`, heals.
  void restart(const survivors& what);

  /// Returns how many calls there were since the last `inject`, `heal` or
  /// `restart`.
  std::uint64_t calls() const;

  /// Returns whether the planned fault has come.
  bool has_struck() const;

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

  class plan;

private:
  memory_file_system& files_;
  std::shared_ptr<plan> plan_;
};

} // namespace gnomon::test
