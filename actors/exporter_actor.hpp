// An exporter that calls a function.

#pragma once

#include "actors/private_messages.hpp"
#include "gnomon/exporter.hpp"

namespace gnomon {

/// Attaches to its partition, again and again while that is unavailable, and
/// hands what it gets to a callback.
class exporter_actor : public exporter_impl::base {
public:
  exporter_actor(caf::actor_config& cfg, partition from, export_callback take,
                 exporter_options options);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

private:
  void attach_to_partition();

  void attach_failed(const caf::error& why);

  caf::result<export_reply> take(const export_batch& received);

  void end(const std::string& why);

  partition from_;
  export_callback take_;
  exporter_options options_;
};

} // namespace gnomon
