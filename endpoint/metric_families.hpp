// Metrics of partitions in the words of Prometheus.

#pragma once

#include "gnomon/v1/metrics.pb.h"
#include "gnomon/v1/wire.pb.h"

#include <optional>
#include <prometheus/metric_family.h>
#include <vector>

namespace gnomon::endpoint {

/// What one partition has answered; no metrics if it has not.
struct scraped_partition {
  std::uint32_t number = 0;
  std::optional<v1::Metrics> metrics = {};
  v1::Status status = {};
};

/// Returns all series, labelled with the partition. Times are in seconds, as
/// Prometheus wants them.
std::vector<prometheus::MetricFamily>
metric_families(const std::vector<scraped_partition>& partitions);

} // namespace gnomon::endpoint
