// What a partition actor knows of one exporter.

#pragma once

#include "gnomon/export_messages.hpp"
#include "gnomon/timestamp.hpp"

#include "exporters/export_channel.hpp"
#include "exporters/position_files.hpp"
#include "exporters/record_source.hpp"
#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace gnomon {

/// One exporter, attached or known from earlier. Plain value.
struct export_link {
  std::string name;
  exporters::export_channel channel{position{}};

  /// As it is on disk.
  exporters::kept_position kept = {};

  /// Null: nobody takes records now.
  exporter whom = {};

  /// Null until the first read, and after the partition has opened again.
  std::shared_ptr<exporters::record_source> source = nullptr;

  std::set<value_type> value_types = {};
  std::size_t batch_bytes_max = 0;

  /// Not empty: compaction does not wait for it.
  std::string detached_reason = {};

  /// Waits before it sends again.
  bool is_waiting = false;
  duration retry_delay{0};
  bool is_keeping = false;
  std::uint64_t bytes_kept = 0;
  std::uint64_t failures = 0;

  exporters::kept_position to_keep() const {
    return {channel.acknowledged(), !detached_reason.empty()};
  }
};

} // namespace gnomon
