#include "endpoint/registry_reader.hpp"

#include <algorithm>
#include <limits>

namespace gnomon::endpoint {

void registry_reader::add_bucket(double upper_bound, std::uint64_t count,
                                 prometheus::ClientMetric::Histogram& to) {
  // Prometheus counts up to a bound, CAF between two.
  to.sample_count += count;
  to.bucket.push_back({to.sample_count, upper_bound});
}

void registry_reader::end_buckets(double sum,
                                  prometheus::ClientMetric::Histogram& to) {
  if (!to.bucket.empty())
    to.bucket.back().upper_bound = std::numeric_limits<double>::infinity();
  to.sample_sum = sum;
}

std::string registry_reader::identifier(std::string_view text) {
  std::string result{text};
  std::ranges::replace_if(
    result, [](char c) { return c == '.' || c == '-'; }, '_');
  return result;
}

std::string registry_reader::full_name(std::string_view prefix,
                                       std::string_view name,
                                       std::string_view unit, bool is_sum) {
  auto result = identifier(prefix) + '_' + identifier(name);
  if (unit != "1")
    result += '_' + identifier(unit);
  return is_sum ? result + "_total" : result;
}

void registry_reader::begin(const void* family, prometheus::MetricType type,
                            std::string name, std::string help) {
  last_ = family;
  result_.push_back({std::move(name), std::move(help), type, {}});
}

} // namespace gnomon::endpoint
