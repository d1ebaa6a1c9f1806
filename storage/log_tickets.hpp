// Work of a log that may block and therefore runs in another thread.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/log_options.hpp"
#include "storage/segment.hpp"

#include <memory>
#include <mutex>

namespace gnomon::storage {

/// A segment file whose syncs fail for ever once one has failed: the system
/// reports a lost page only once, so that a later sync would lie.
///
/// Threads: `sync` may be called by any; it serialises itself.
class segment_file {
public:
  explicit segment_file(std::unique_ptr<file> content);

  result<void> sync();

  /// Returns the file itself, for its owner.
  file& content() {
    return *content_;
  }

private:
  std::unique_ptr<file> content_;
  std::mutex mutex_;
  bool failed_ = false;
};

/// Permit to sync all that was written before `log::begin_sync`. Keeps its
/// segment open, so it may outlive the log.
class sync_ticket {
public:
  sync_ticket(std::shared_ptr<segment_file> segment, position up_to)
    : segment_(std::move(segment)), up_to_(up_to) {
    // nop
  }

  /// Syncs. Any thread. Hand the result to `log::end_sync`.
  result<void> run() {
    return segment_->sync();
  }

  /// Returns the position that is durable once `run` has succeeded.
  position up_to() const {
    return up_to_;
  }

private:
  std::shared_ptr<segment_file> segment_;
  position up_to_;
};

/// Permit to set the space of the next segment aside, so that the roll to it is
/// short.
///
/// The file system must outlive it.
class spare_ticket {
public:
  spare_ticket(file_system& files, path directory, std::size_t segment_bytes,
               preallocation space)
    : files_(&files), directory_(std::move(directory)),
      segment_bytes_(segment_bytes), space_(space) {
    // nop
  }

  /// Creates and syncs the file. Any thread, but not while a roll is under way.
  /// Hand the ticket and the result to `log::end_spare`.
  result<void> run();

private:
  friend class log;

  file_system* files_;
  path directory_;
  std::size_t segment_bytes_;
  preallocation space_;
  std::unique_ptr<file> created_;
};

/// Permit to seal the active segment and to create the next one.
///
/// The file system must outlive it.
class roll_ticket {
public:
  /// What the new segment begins with, and where the old one ends.
  struct plan {
    path directory;
    std::shared_ptr<segment_file> sealed;
    std::uint64_t sealed_bytes = 0;
    segment_header header;
    std::size_t segment_bytes = 0;
    preallocation space = preallocation::zeros;

    /// Its space, if that was set aside beforehand.
    std::unique_ptr<file> spare = nullptr;
  };

  roll_ticket(file_system& files, plan what)
    : files_(&files), plan_(std::move(what)) {
    // nop
  }

  /// Syncs the old segment, then creates the new one: as *.tmp with its header,
  /// synced, renamed, its directory synced. Any thread. Hand the ticket and the
  /// result to `log::end_roll`.
  result<void> run();

private:
  friend class log;

  file_system* files_;
  plan plan_;
  bool sealed_is_synced_ = false;
  bool may_retry_ = false;
  std::shared_ptr<segment_file> created_;
};

} // namespace gnomon::storage
