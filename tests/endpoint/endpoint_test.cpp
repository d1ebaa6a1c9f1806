#include "gnomon/metrics_endpoint.hpp"
#include "tests/actors/system_fixture.hpp"

#include "endpoint/metric_families.hpp"
#include <arpa/inet.h>
#include <prometheus/text_serializer.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gnomon::test {

namespace {

using namespace std::chrono_literals;

endpoint::scraped_partition full_partition() {
  endpoint::scraped_partition one;
  one.number = 3;
  auto& metrics = one.metrics.emplace();
  auto& count = *metrics.add_records();
  count.set_record_type(1);
  count.set_value_type(1);
  count.set_intent(1);
  count.set_count(7);
  auto& own = *metrics.add_records();
  own.set_record_type(3);
  own.set_value_type(1'000);
  own.set_intent(9);
  own.set_count(2);
  auto& syncs = *metrics.mutable_sync_us();
  syncs.add_bounds(100);
  syncs.add_bounds(1'000);
  syncs.add_counts(2);
  syncs.add_counts(3);
  syncs.add_counts(1);
  syncs.set_sum(5'000'000);
  metrics.set_oldest_overdue_ms(1'500);
  one.status.set_durable_position(9);
  auto& exporter = *one.status.add_exporters();
  exporter.set_name("json");
  exporter.set_acknowledged_position(4);
  return one;
}

std::string text_of(const endpoint::scraped_partition& one) {
  return prometheus::TextSerializer{}.Serialize(
    endpoint::metric_families({one}));
}

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(text.find('\n' + line + '\n'), std::string::npos) << line << "\n\n"
                                                              << text;
}

/// Returns the answer to GET /metrics.
std::string scrape(int port) {
  const auto handle = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (::connect(handle, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0) {
    const std::string request
      = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    EXPECT_EQ(::send(handle, request.data(), request.size(), 0),
              static_cast<ssize_t>(request.size()));
    char part[4096];
    for (ssize_t n; (n = ::recv(handle, part, sizeof(part), 0)) > 0;)
      answer.append(part, static_cast<std::size_t>(n));
  }
  ::close(handle);
  return answer;
}

using MetricsEndpoint = SystemTest;

} // namespace

TEST(MetricFamilies, HaveTheSeriesOfAPartition) {
  const auto text = text_of(full_partition());
  expect_line(text, "gnomon_up{partition=\"3\"} 1");
  expect_line(text, "gnomon_records_total{partition=\"3\",kind=\"command\","
                    "value_type=\"timer\",intent=\"create\"} 7");
  expect_line(text, "gnomon_records_total{partition=\"3\",kind=\"rejection\","
                    "value_type=\"1000\",intent=\"9\"} 2");
  expect_line(text, "gnomon_oldest_overdue_seconds{partition=\"3\"} 1.5");
  expect_line(text, "gnomon_exporter_lag_records{partition=\"3\","
                    "exporter=\"json\"} 5");
}

TEST(MetricFamilies, HaveHistogramsThatAddUp) {
  const auto text = text_of(full_partition());
  expect_line(text, "gnomon_sync_seconds_count{partition=\"3\"} 6");
  expect_line(text, "gnomon_sync_seconds_sum{partition=\"3\"} 5");
  expect_line(text, "gnomon_sync_seconds_bucket{partition=\"3\","
                    "le=\"+Inf\"} 6");
}

TEST(MetricFamilies, SayThatAPartitionIsDown) {
  const auto text = text_of({.number = 2});
  EXPECT_NE(text.find("gnomon_up{partition=\"2\"} 0"), std::string::npos);
  EXPECT_EQ(text.find("gnomon_epoch{"), std::string::npos);
}

TEST_F(MetricsEndpoint, AnswersAScrape) {
  configuration cfg;
  caf::actor_system system{cfg};
  caf::scoped_actor self{system};
  const auto whom = spawn_partition(system, options());
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(submit_to(self, whom, create_timer{.when = 1h}));
  auto opened = metrics_endpoint::open(system, "127.0.0.1:0", {whom});
  ASSERT_TRUE(opened) << to_string(opened.error());
  const auto text = scrape((*opened)->port());
  EXPECT_TRUE(text.starts_with("HTTP/1.1 200")) << text;
  EXPECT_NE(text.find("gnomon_timers_waiting{partition=\"1\"} 3"),
            std::string::npos)
    << text;
}

TEST_F(MetricsEndpoint, SaysWhereItCannotListen) {
  configuration cfg;
  caf::actor_system system{cfg};
  const auto opened = metrics_endpoint::open(system, "256.0.0.1:1", {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::io_error);
}

} // namespace gnomon::test
