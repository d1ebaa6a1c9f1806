// The file system of the machine, of which one call fails.

#pragma once

#include "storage/ports/file_system.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace gnomon::test {

/// Which call of the port fails, and how.
struct disk_failure {
  /// Number of the call from now, from 1; 0: none.
  std::uint64_t at_call = 0;

  errc code = errc::io_error;

  /// The call is done all the same, but nobody is told.
  bool is_done = false;
};

/// Decorates another file system and counts all calls. One call fails, once; a
/// failing write that is not done leaves half of its bytes.
///
/// Threads: as those of the port; order failures while nobody calls.
class failing_disk : public storage::file_system {
public:
  /// @param files  Borrowed.
  explicit failing_disk(storage::file_system& files) : files_(files) {
    // nop
  }

  /// Orders a failure, and counts from here.
  void fail(const disk_failure& what) {
    plan_.what = what;
    plan_.calls = 0;
  }

  /// Returns how many calls there were since.
  std::uint64_t calls() const {
    return plan_.calls;
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
  struct plan {
    disk_failure what;
    std::atomic<std::uint64_t> calls = 0;

    /// Makes `call`, unless it is its turn to fail.
    template <class Call>
    auto run(Call call) -> decltype(call()) {
      if (++calls != what.at_call)
        return call();
      if (what.is_done)
        static_cast<void>(call());
      return {what.code, "call " + std::to_string(what.at_call)
                           + " of the disk: it was told to fail"};
    }
  };

  class decorated;

  storage::file_system& files_;
  plan plan_;
};

} // namespace gnomon::test
