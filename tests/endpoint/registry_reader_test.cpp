#include <gtest/gtest.h>

#include "endpoint/registry_reader.hpp"
#include <limits>
#include <prometheus/text_serializer.h>

namespace gnomon::endpoint {

namespace {

// What CAF 1.x has in its registry, as far as it is read.
struct fake_family {
  std::string prefix_, name_, helptext_, unit_;
  bool is_sum_ = false;

  const auto& prefix() const {
    return prefix_;
  }
  const auto& name() const {
    return name_;
  }
  const auto& helptext() const {
    return helptext_;
  }
  const auto& unit() const {
    return unit_;
  }
  bool is_sum() const {
    return is_sum_;
  }
};

struct fake_label {
  std::string name_, value_;

  std::string_view name() const {
    return name_;
  }
  std::string_view value() const {
    return value_;
  }
};

struct fake_metric {
  std::vector<fake_label> labels_;

  const auto& labels() const {
    return labels_;
  }
};

struct fake_counter {
  std::int64_t value_ = 0;

  std::int64_t value() const {
    return value_;
  }
};

struct fake_gauge : fake_counter {
  void dec();
};

struct fake_histogram {
  struct bucket_type {
    double upper_bound;
    fake_counter count;
  };

  std::vector<bucket_type> buckets_;
  double sum_ = 0;

  const auto& buckets() const {
    return buckets_;
  }
  double sum() const {
    return sum_;
  }
};

std::string text_of(registry_reader& reader) {
  return prometheus::TextSerializer{}.Serialize(reader.take());
}

} // namespace

TEST(RegistryReader, TellsCountersAndGaugesUnderNamesOfPrometheus) {
  const fake_family running{"caf.system", "running-actors", "Actors", "1"};
  const fake_family read{"caf.middleman", "inbound", "Read", "bytes", true};
  const fake_metric ours{{{"name", "gnomon.partition"}}};
  const fake_metric other{{{"name", "user"}}};
  registry_reader reader;
  const fake_gauge many{{3}};
  const fake_gauge one{{1}};
  const fake_counter bytes{17};
  reader(&running, &ours, &many);
  reader(&running, &other, &one);
  reader(&read, &other, &bytes);
  EXPECT_EQ(text_of(reader),
            "# HELP caf_system_running_actors Actors\n"
            "# TYPE caf_system_running_actors gauge\n"
            "caf_system_running_actors{name=\"gnomon.partition\"} 3\n"
            "caf_system_running_actors{name=\"user\"} 1\n"
            "# HELP caf_middleman_inbound_bytes_total Read\n"
            "# TYPE caf_middleman_inbound_bytes_total counter\n"
            "caf_middleman_inbound_bytes_total{name=\"user\"} 17\n");
}

TEST(RegistryReader, AddsUpTheBucketsOfAHistogram) {
  const fake_family time{"caf.actor", "processing-time", "Time", "seconds"};
  const fake_histogram observed{
    {{0.5, {2}}, {1, {0}}, {std::numeric_limits<double>::max(), {1}}}, 4.25};
  registry_reader reader;
  const fake_metric metric;
  reader(&time, &metric, &observed);
  EXPECT_EQ(text_of(reader),
            "# HELP caf_actor_processing_time_seconds Time\n"
            "# TYPE caf_actor_processing_time_seconds histogram\n"
            "caf_actor_processing_time_seconds_count 3\n"
            "caf_actor_processing_time_seconds_sum 4.25\n"
            "caf_actor_processing_time_seconds_bucket{le=\"0.5\"} 2\n"
            "caf_actor_processing_time_seconds_bucket{le=\"1\"} 2\n"
            "caf_actor_processing_time_seconds_bucket{le=\"+Inf\"} 3\n");
}

} // namespace gnomon::endpoint
