// The exporters of a partition actor.

#pragma once

#include "actors/export_link.hpp"
#include "gnomon/error.hpp"
#include "gnomon/partition.hpp"
#include "gnomon/v1/wire.pb.h"

#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace gnomon {

class partition_actor;

/// A part of the partition actor: attaches exporters, reads for them on a disk
/// actor beside the log, sends what is durable, and keeps their positions.
///
/// Threads: those of the partition actor, which owns it.
class partition_exports {
public:
  using attach_promise = caf::typed_response_promise<attach_reply>;
  using control_promise = caf::typed_response_promise<control_reply>;

  /// @param self  Borrowed; owns this.
  explicit partition_exports(partition_actor& self) : self_(self) {
    // nop
  }

  // -- requests ---------------------------------------------------------------

  void attach(const v1::AttachExporter& request, const exporter& from,
              attach_promise to);

  /// Forgets the handle of an exporter that is down, but not its position.
  void forget(const caf::actor_addr& gone);

  /// Forgets an exporter for good.
  void remove(const std::string& name, control_promise to);

  void describe(v1::Status& to) const;

  // -- the loop ---------------------------------------------------------------

  /// Reads for all that have room, if something more is durable.
  void pump();

  /// Sends to an exporter again that has refused a batch.
  void resume(const std::string& name);

  /// Takes over what is on disk, and goes on with those that are attached.
  void restore(const exporters::position_files::found& kept);

  /// Drops all handles.
  void clear() {
    links_.clear();
  }

  // -- compaction and closing -------------------------------------------------

  /// Makes positions durable, since compaction goes by these.
  void keep_positions();

  /// Detaches exporters that lag too much. @returns `wanted`, or the first
  /// position that an exporter still needs.
  position compact_below(position wanted);

  /// Returns what keeps all positions before the directory is closed.
  std::function<void()> last_positions();

  std::uint64_t detached_count() const {
    return detached_count_;
  }

private:
  using link_ptr = std::shared_ptr<export_link>;
  using read_order = exporters::export_channel::read_order;

  void take(export_link& link, const v1::AttachExporter& request,
            const exporter& from);
  void pump(const link_ptr& link);
  std::shared_ptr<exporters::record_source>
  make_source(const export_link& link);
  void send(const link_ptr& link, const read_order& order,
            exporters::source_batch& batch);
  void read_failed(const link_ptr& link, const read_order& order,
                   const error& why);
  void acknowledged(const link_ptr& link, std::uint64_t number);
  void retry(const link_ptr& link, const std::string& why);
  void detach(export_link& link, const std::string& reason);

  /// Makes the position of an exporter durable, and then calls `then`.
  void keep_position(const link_ptr& link,
                     std::function<void(const result<void>&)> then);
  std::uint64_t lag_bytes(position from) const;
  exporters::position_files files() const;

  partition_actor& self_;
  std::map<std::string, link_ptr> links_;
  std::uint64_t detached_count_ = 0;
};

} // namespace gnomon
