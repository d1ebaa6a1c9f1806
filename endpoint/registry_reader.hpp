// CAF's own metrics in the words of Prometheus.

#pragma once

#include <cstdint>
#include <prometheus/metric_family.h>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::endpoint {

/// Takes what CAF's registry shows, one instance after the other; those of one
/// family come in a row. Knows the types of CAF's registry by what they can do,
/// since CAF 0.17 has none of them.
class registry_reader {
public:
  template <class Family, class Metric, class Instrument>
  void operator()(const Family* family, const Metric* metric,
                  const Instrument* instrument) {
    if (family != last_)
      begin(family, type_of<Instrument>(),
            full_name(family->prefix(), family->name(), family->unit(),
                      family->is_sum()),
            std::string{family->helptext()});
    prometheus::ClientMetric one;
    for (const auto& label : metric->labels())
      one.label.push_back(
        {identifier(label.name()), std::string{label.value()}});
    read(*instrument, one);
    result_.back().metric.push_back(std::move(one));
  }

  std::vector<prometheus::MetricFamily> take() {
    last_ = nullptr;
    return std::move(result_);
  }

private:
  template <class Instrument>
  static constexpr bool is_histogram = requires(const Instrument& x) {
    x.buckets();
  };

  /// What only goes up cannot be decremented.
  template <class Instrument>
  static constexpr bool is_gauge = requires(Instrument& x) {
    x.dec();
  };

  template <class Instrument>
  static constexpr prometheus::MetricType type_of() {
    if (is_histogram<Instrument>)
      return prometheus::MetricType::Histogram;
    return is_gauge<Instrument> ? prometheus::MetricType::Gauge
                                : prometheus::MetricType::Counter;
  }

  template <class Instrument>
  static void read(const Instrument& from, prometheus::ClientMetric& to) {
    if constexpr (is_histogram<Instrument>) {
      for (const auto& bucket : from.buckets())
        add_bucket(static_cast<double>(bucket.upper_bound),
                   static_cast<std::uint64_t>(bucket.count.value()),
                   to.histogram);
      end_buckets(static_cast<double>(from.sum()), to.histogram);
    } else if constexpr (is_gauge<Instrument>) {
      to.gauge.value = static_cast<double>(from.value());
    } else {
      to.counter.value = static_cast<double>(from.value());
    }
  }

  static void add_bucket(double upper_bound, std::uint64_t count,
                         prometheus::ClientMetric::Histogram& to);

  /// Whatever CAF calls the bound of the last bucket, it has none.
  static void end_buckets(double sum, prometheus::ClientMetric::Histogram& to);

  /// Returns `text` without characters that Prometheus does not allow.
  static std::string identifier(std::string_view text);

  static std::string full_name(std::string_view prefix, std::string_view name,
                               std::string_view unit, bool is_sum);

  void begin(const void* family, prometheus::MetricType type, std::string name,
             std::string help);

  const void* last_ = nullptr;
  std::vector<prometheus::MetricFamily> result_;
};

} // namespace gnomon::endpoint
