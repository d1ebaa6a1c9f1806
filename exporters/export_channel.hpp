// What one exporter has been sent and has acknowledged.

#pragma once

#include "gnomon/position.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace gnomon::exporters {

/// How much may be under way to an exporter.
struct channel_limits {
  std::size_t batches_max = 4;
  std::size_t bytes_max = 16 << 20;
};

/// Decides what to read next and how far an exporter is. Batches are
/// acknowledged in their order: an answer counts once all before it are there.
///
/// Threads: one owner.
class export_channel {
public:
  /// Goes on behind `acknowledged`.
  explicit export_channel(position acknowledged, channel_limits limits = {});

  /// Something to be read; stale after `restart`.
  struct read_order {
    /// The first position.
    position from;
    std::uint64_t attempt = 0;
  };

  /// What was read.
  struct read_outcome {
    position last;
    std::size_t records = 0;
    std::size_t bytes = 0;
  };

  /// Returns what to read now; nothing if all is read up to `durable`, enough
  /// is under way, or a read is.
  std::optional<read_order> begin_read(position durable);

  /// Notes the end of a read.
  /// @returns The number under which to send it; nothing if there were no
  ///          records or the order is stale.
  std::optional<std::uint64_t> end_read(const read_order& order,
                                        const read_outcome& outcome);

  /// Returns whether `order` still counts.
  bool is_current(const read_order& order) const {
    return order.attempt == attempt_;
  }

  /// Notes that batch `number` is safe. Answers to stale ones mean nothing.
  void acknowledge(std::uint64_t number);

  /// Returns whether batch `number` is under way.
  bool expects(std::uint64_t number) const;

  /// Forgets what is under way; it is read and sent again.
  void restart();

  /// Makes the records behind `acknowledged` the next ones; may skip some.
  void restart_behind(position acknowledged);

  void limit(channel_limits limits) {
    limits_ = limits;
  }

  /// Everything up to here is safe.
  position acknowledged() const {
    return acknowledged_;
  }

  /// Returns the bytes that were acknowledged since the channel was made.
  std::uint64_t bytes_acknowledged() const {
    return bytes_acknowledged_;
  }

  std::size_t unacknowledged_batches() const {
    return under_way_.size();
  }

  std::size_t unacknowledged_bytes() const {
    return bytes_under_way_;
  }

private:
  struct sent_batch {
    std::uint64_t number = 0;
    position last;
    std::size_t bytes = 0;
    bool is_safe = false;
  };

  channel_limits limits_;
  position acknowledged_;
  position read_;
  std::deque<sent_batch> under_way_;
  std::size_t bytes_under_way_ = 0;
  std::uint64_t bytes_acknowledged_ = 0;
  std::uint64_t last_number_ = 0;
  std::uint64_t attempt_ = 0;
  bool is_reading_ = false;
};

} // namespace gnomon::exporters
