// Metrics of partitions for Prometheus, over HTTP. Link gnomon::endpoint.

#pragma once

#include "gnomon/partition.hpp"
#include "gnomon/result.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gnomon {

/// Listens for scrapes of `/metrics` and asks the partitions then; between
/// scrapes it does nothing. A partition that does not answer within a second
/// has `gnomon_up` 0 and nothing else. With CAF 1.x, CAF's own metrics are told
/// as well (`caf_...`).
///
/// Threads: those of the HTTP server. Destroy it before the actor system.
class metrics_endpoint {
public:
  /// @param address  E.g. "127.0.0.1:9464"; port 0: a free one, see `port`.
  ///                 There is neither encryption nor a password: let only
  ///                 those reach it who may.
  /// @returns `errc::io_error` if it cannot listen there.
  static result<std::unique_ptr<metrics_endpoint>>
  open(caf::actor_system& system, const std::string& address,
       std::vector<partition> partitions);

  ~metrics_endpoint();

  /// Returns the port that it listens at.
  int port() const;

private:
  struct impl;

  explicit metrics_endpoint(std::unique_ptr<impl> parts);

  std::unique_ptr<impl> impl_;
};

} // namespace gnomon
