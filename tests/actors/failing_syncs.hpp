// The file system of the machine, with syncs that fail on demand.

#pragma once

#include "storage/ports/file_system.hpp"

#include <atomic>
#include <memory>

namespace gnomon::test {

/// Decorates another file system. A failing sync does nothing.
///
/// Threads: as those of the port; any thread may order a failure.
class failing_syncs : public storage::file_system {
public:
  /// @param files  Borrowed.
  explicit failing_syncs(storage::file_system& files) : files_(files) {
    // nop
  }

  /// Lets the next sync of a file fail.
  void fail_next() {
    fails_ = true;
  }

  // -- port -------------------------------------------------------------------

  result<std::unique_ptr<storage::file>>
  open(const storage::path& name, storage::open_mode mode) override {
    auto opened = files_.open(name, mode);
    if (!opened)
      return opened;
    return std::unique_ptr<storage::file>{
      std::make_unique<decorated>(std::move(*opened), fails_)};
  }

  result<std::unique_ptr<storage::file_lock>>
  lock(const storage::path& name) override {
    return files_.lock(name);
  }

  result<void> rename(const storage::path& from,
                      const storage::path& to) override {
    return files_.rename(from, to);
  }

  result<void> remove(const storage::path& name) override {
    return files_.remove(name);
  }

  result<void> sync_directory(const storage::path& directory) override {
    return files_.sync_directory(directory);
  }

  result<void> create_directories(const storage::path& directory) override {
    return files_.create_directories(directory);
  }

  result<void> remove_all(const storage::path& directory) override {
    return files_.remove_all(directory);
  }

  result<std::vector<std::string>>
  list(const storage::path& directory) override {
    return files_.list(directory);
  }

  result<bool> exists(const storage::path& name) override {
    return files_.exists(name);
  }

  result<storage::file_identity> identity(const storage::path& name) override {
    return files_.identity(name);
  }

private:
  class decorated : public storage::file {
  public:
    decorated(std::unique_ptr<storage::file> content, std::atomic<bool>& fails)
      : content_(std::move(content)), fails_(fails) {
      // nop
    }

    result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override {
      return content_->read(offset, bytes_max);
    }

    result<void> write(std::uint64_t offset, bytes_view content,
                       std::size_t* written) override {
      return content_->write(offset, content, written);
    }

    result<void> sync() override {
      if (fails_.exchange(false))
        return {errc::io_error, "sync: it was told to fail"};
      return content_->sync();
    }

    result<void> allocate(std::uint64_t size) override {
      return content_->allocate(size);
    }

    result<void> truncate(std::uint64_t size) override {
      return content_->truncate(size);
    }

    result<std::uint64_t> size() override {
      return content_->size();
    }

    result<void> drop_cache(std::uint64_t offset) override {
      return content_->drop_cache(offset);
    }

  private:
    std::unique_ptr<storage::file> content_;
    std::atomic<bool>& fails_;
  };

  storage::file_system& files_;
  std::atomic<bool> fails_ = false;
};

} // namespace gnomon::test
