#include "endpoint/metric_families.hpp"

#include "gnomon/record.hpp"
#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/timer.pb.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace gnomon::endpoint {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

using families = std::vector<MetricFamily>;
using all_partitions = std::vector<scraped_partition>;

constexpr double seconds_per_us = 1e-6;
constexpr double seconds_per_ms = 1e-3;

ClientMetric labelled(const scraped_partition& of) {
  ClientMetric result;
  result.label.push_back({"partition", std::to_string(of.number)});
  return result;
}

std::string in_lower_case(std::string text, std::string_view prefix) {
  if (text.starts_with(prefix))
    text.erase(0, prefix.size());
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

std::string type_name(std::uint32_t type) {
  switch (static_cast<value_type>(type)) {
  case value_type::timer:
    return "timer";
  case value_type::job:
    return "job";
  case value_type::incident:
    return "incident";
  case value_type::error:
    return "error";
  case value_type::idempotency:
    return "idempotency";
  case value_type::partition:
    return "partition";
  default:
    return std::to_string(type);
  }
}

std::string named_intent(std::uint32_t type, int what) {
  switch (static_cast<value_type>(type)) {
  case value_type::timer:
    return in_lower_case(v1::TimerIntent_Name(what), "TIMER_INTENT_");
  case value_type::job:
    return in_lower_case(v1::JobIntent_Name(what), "JOB_INTENT_");
  case value_type::incident:
    return in_lower_case(v1::IncidentIntent_Name(what), "INCIDENT_INTENT_");
  case value_type::error:
    return in_lower_case(v1::ErrorIntent_Name(what), "ERROR_INTENT_");
  case value_type::idempotency:
    return in_lower_case(v1::IdempotencyIntent_Name(what),
                         "IDEMPOTENCY_INTENT_");
  case value_type::partition:
    return in_lower_case(v1::PartitionIntent_Name(what), "PARTITION_INTENT_");
  default:
    return {};
  }
}

std::string intent_name(std::uint32_t type, std::uint32_t what) {
  auto name = named_intent(type, static_cast<int>(what));
  return name.empty() ? std::to_string(what) : name;
}

std::string kind_name(std::uint32_t kind) {
  auto name = in_lower_case(v1::RecordType_Name(static_cast<int>(kind)),
                            "RECORD_TYPE_");
  return name == "command_rejection" ? "rejection" : name;
}

/// Adds a series for each partition that has answered.
class writer {
public:
  explicit writer(const all_partitions& from) : from_(from) {
    // nop
  }

  void counter(const char* name, const char* help,
               const std::function<double(const scraped_partition&)>& value) {
    add(name, help, MetricType::Counter,
        [&](const scraped_partition& x, std::vector<ClientMetric>& to) {
          to.push_back(labelled(x));
          to.back().counter.value = value(x);
        });
  }

  void gauge(const char* name, const char* help,
             const std::function<double(const scraped_partition&)>& value) {
    add(name, help, MetricType::Gauge,
        [&](const scraped_partition& x, std::vector<ClientMetric>& to) {
          to.push_back(labelled(x));
          to.back().gauge.value = value(x);
        });
  }

  void histogram(
    const char* name, const char* help, double unit,
    const std::function<const v1::Histogram&(const v1::Metrics&)>& value) {
    add(name, help, MetricType::Histogram,
        [&](const scraped_partition& x, std::vector<ClientMetric>& to) {
          to.push_back(labelled(x));
          fill(value(*x.metrics), unit, to.back().histogram);
        });
  }

  void add(const char* name, const char* help, MetricType type,
           const std::function<void(const scraped_partition&,
                                    std::vector<ClientMetric>&)>& fill) {
    MetricFamily family{name, help, type, {}};
    for (const auto& x : from_)
      if (x.metrics)
        fill(x, family.metric);
    result.push_back(std::move(family));
  }

  families result;

private:
  static void fill(const v1::Histogram& from, double unit,
                   ClientMetric::Histogram& to) {
    std::uint64_t count = 0;
    for (int i = 0; i < from.counts_size(); ++i) {
      count += from.counts(i);
      const auto bound = i < from.bounds_size()
                           ? static_cast<double>(from.bounds(i)) * unit
                           : std::numeric_limits<double>::infinity();
      to.bucket.push_back({count, bound});
    }
    to.sample_count = count;
    to.sample_sum = static_cast<double>(from.sum()) * unit;
  }

  const all_partitions& from_;
};

void add_records(writer& to) {
  to.add("gnomon_records_total", "Records written, by kind",
         MetricType::Counter,
         [](const scraped_partition& x, std::vector<ClientMetric>& series) {
           for (const auto& one : x.metrics->records()) {
             series.push_back(labelled(x));
             auto& label = series.back().label;
             label.push_back({"kind", kind_name(one.record_type())});
             label.push_back({"value_type", type_name(one.value_type())});
             label.push_back(
               {"intent", intent_name(one.value_type(), one.intent())});
             series.back().counter.value = static_cast<double>(one.count());
           }
         });
}

void add_exporters(writer& to) {
  using value
    = std::function<double(const v1::Status&, const v1::ExporterStatus&)>;
  const auto add = [&](const char* name, const char* help, const value& of) {
    to.add(name, help, MetricType::Gauge,
           [&](const scraped_partition& x, std::vector<ClientMetric>& series) {
             for (const auto& one : x.status.exporters()) {
               series.push_back(labelled(x));
               series.back().label.push_back({"exporter", one.name()});
               series.back().gauge.value = of(x.status, one);
             }
           });
  };
  add("gnomon_exporter_lag_records", "Durable records not acknowledged",
      [](const v1::Status& status, const v1::ExporterStatus& x) {
        return static_cast<double>(status.durable_position()
                                   - x.acknowledged_position());
      });
  add("gnomon_exporter_attached", "Whether an exporter takes records",
      [](const v1::Status&, const v1::ExporterStatus& x) {
        return x.attached() ? 1.0 : 0.0;
      });
  add("gnomon_exporter_detached", "Whether compaction ignores an exporter",
      [](const v1::Status&, const v1::ExporterStatus& x) {
        return x.detached_reason().empty() ? 0.0 : 1.0;
      });
  to.counter("gnomon_exporters_detached_total", "Exporters detached",
             [](const scraped_partition& x) {
               return static_cast<double>(x.metrics->exporters_detached());
             });
}

void add_histograms(writer& to) {
  to.histogram("gnomon_batch_commands", "Commands of a batch", 1,
               &v1::Metrics::batch_commands);
  to.histogram("gnomon_processing_seconds", "A batch until it is committed",
               seconds_per_us, &v1::Metrics::processing_us);
  to.histogram("gnomon_sync_seconds", "Syncs of the log", seconds_per_us,
               &v1::Metrics::sync_us);
  to.histogram("gnomon_acknowledgement_seconds",
               "Requests until they are answered", seconds_per_us,
               &v1::Metrics::acknowledgement_us);
  to.histogram("gnomon_lateness_seconds",
               "Due timers, how late they are proposed", seconds_per_ms,
               &v1::Metrics::lateness_ms);
}

/// A number of `v1::Metrics` under a name.
struct named_number {
  const char* name;
  const char* help;
  std::uint64_t (v1::Metrics::*value)() const;
};

constexpr named_number counters[] = {
  {"gnomon_log_bytes_total", "Bytes written to the log",
   &v1::Metrics::log_bytes_written},
  {"gnomon_snapshots_total", "Snapshots taken", &v1::Metrics::snapshots},
  {"gnomon_snapshots_failed_total", "Snapshots that failed",
   &v1::Metrics::snapshots_failed},
  {"gnomon_segments_compacted_total", "Segments deleted",
   &v1::Metrics::segments_compacted},
  {"gnomon_failures_total", "Failures that made the partition open again",
   &v1::Metrics::failures},
};

constexpr named_number gauges[] = {
  {"gnomon_timers_waiting", "Timers", &v1::Metrics::timers_waiting},
  {"gnomon_jobs_available", "Jobs without a worker",
   &v1::Metrics::jobs_available},
  {"gnomon_jobs_activated", "Jobs that workers have",
   &v1::Metrics::jobs_activated},
  {"gnomon_jobs_backing_off", "Jobs that have failed and wait",
   &v1::Metrics::jobs_backing_off},
  {"gnomon_jobs_failed", "Jobs that wait for an operator",
   &v1::Metrics::jobs_failed},
  {"gnomon_incidents", "Jobs and bans that wait for an operator",
   &v1::Metrics::incidents},
  {"gnomon_overdue", "Due entries not taken yet, up to a limit",
   &v1::Metrics::overdue},
  {"gnomon_segments", "Segments of the log", &v1::Metrics::segments},
};

void add_numbers(writer& to) {
  const auto value_of = [](const named_number& x) {
    return [value = x.value](const scraped_partition& of) {
      return static_cast<double>(((*of.metrics).*value)());
    };
  };
  for (const auto& x : counters)
    to.counter(x.name, x.help, value_of(x));
  for (const auto& x : gauges)
    to.gauge(x.name, x.help, value_of(x));
}

void add_times(writer& to) {
  to.gauge("gnomon_oldest_overdue_seconds", "Age of the oldest due entry",
           [](const scraped_partition& x) {
             return static_cast<double>(x.metrics->oldest_overdue_ms())
                    * seconds_per_ms;
           });
  to.gauge("gnomon_next_due_seconds", "When something is due next; 0: never",
           [](const scraped_partition& x) {
             return static_cast<double>(x.status.next_due_ms())
                    * seconds_per_ms;
           });
  to.gauge("gnomon_replay_seconds", "Replay when it opened",
           [](const scraped_partition& x) {
             return static_cast<double>(x.metrics->replay_us())
                    * seconds_per_us;
           });
}

/// A number of `v1::Status` under a name.
struct named_status {
  const char* name;
  const char* help;
  std::uint64_t (v1::Status::*value)() const;
};

constexpr named_status status_counters[] = {
  {"gnomon_commands_total", "Commands processed", &v1::Status::commands},
  {"gnomon_batches_total", "Batches", &v1::Status::batches},
  {"gnomon_syncs_total", "Syncs", &v1::Status::syncs},
  {"gnomon_yields_total", "Turns that used up their budget",
   &v1::Status::yields},
};

constexpr named_status status_gauges[] = {
  {"gnomon_last_position", "Last position written", &v1::Status::last_position},
  {"gnomon_durable_position", "Last position synced",
   &v1::Status::durable_position},
  {"gnomon_snapshot_position", "Position of the newest snapshot",
   &v1::Status::snapshot_position},
  {"gnomon_pending_commands", "Commands not processed",
   &v1::Status::pending_commands},
  {"gnomon_in_flight", "Commands of clients not answered",
   &v1::Status::in_flight},
  {"gnomon_epoch", "How often it has opened", &v1::Status::epoch},
};

void add_status(writer& to) {
  const auto value_of = [](const named_status& x) {
    return [value = x.value](const scraped_partition& of) {
      return static_cast<double>((of.status.*value)());
    };
  };
  for (const auto& x : status_counters)
    to.counter(x.name, x.help, value_of(x));
  for (const auto& x : status_gauges)
    to.gauge(x.name, x.help, value_of(x));
  to.gauge("gnomon_processing", "1 if it is open and not paused",
           [](const scraped_partition& x) {
             return x.status.phase() == v1::PHASE_PROCESSING ? 1.0 : 0.0;
           });
  to.gauge("gnomon_clock_suspect", "1 while a leap of the clock is doubted",
           [](const scraped_partition& x) {
             return x.status.clock_suspect() ? 1.0 : 0.0;
           });
}

MetricFamily up(const all_partitions& partitions) {
  MetricFamily family{
    "gnomon_up", "Whether the partition has answered", MetricType::Gauge, {}};
  for (const auto& x : partitions) {
    family.metric.push_back(labelled(x));
    family.metric.back().gauge.value = x.metrics ? 1 : 0;
  }
  return family;
}

} // namespace

std::vector<MetricFamily> metric_families(const all_partitions& partitions) {
  writer to{partitions};
  to.result.push_back(up(partitions));
  add_status(to);
  add_records(to);
  add_histograms(to);
  add_numbers(to);
  add_times(to);
  add_exporters(to);
  return std::move(to.result);
}

} // namespace gnomon::endpoint
