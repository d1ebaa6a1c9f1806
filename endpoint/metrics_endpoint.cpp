#include "gnomon/metrics_endpoint.hpp"

#include "endpoint/metric_families.hpp"
#include "endpoint/registry_reader.hpp"
#include <algorithm>
#include <exception>
#include <iterator>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>

namespace gnomon {

namespace {

constexpr caf::timespan answer_timeout = std::chrono::seconds{1};

/// Shows `reader` CAF's own metrics; CAF 0.17 has none.
template <class System>
void read_registry(System& system, endpoint::registry_reader& reader) {
  if constexpr (requires { system.metrics(); })
    system.metrics().collect(reader);
}

/// Asks all partitions for each scrape.
class collector : public prometheus::Collectable {
public:
  collector(caf::actor_system& system, std::vector<partition> partitions)
    : system_(system), partitions_(std::move(partitions)) {
    // nop
  }

  std::vector<prometheus::MetricFamily> Collect() const override {
    caf::scoped_actor self{system_, true};
    std::vector<endpoint::scraped_partition> all;
    for (const auto& from : partitions_) {
      v1::Query question;
      question.mutable_metrics();
      endpoint::scraped_partition one;
      // Its number in the list, if it cannot say the right one.
      one.number = static_cast<std::uint32_t>(all.size() + 1);
      mail_as(self.ptr(), make_query(question))
        .request(from, answer_timeout)
        .receive([&](const query_reply& reply) { read(reply, one); },
                 [](const caf::error&) {});
      all.push_back(std::move(one));
    }
    auto result = endpoint::metric_families(all);
    endpoint::registry_reader of_caf;
    read_registry(system_, of_caf);
    std::ranges::move(of_caf.take(), std::back_inserter(result));
    return result;
  }

private:
  static void read(const query_reply& reply,
                   endpoint::scraped_partition& into) {
    v1::QueryReply content;
    if (reply.version != wire_version || !content.ParseFromString(reply.content)
        || !content.has_metrics())
      return;
    into.number = content.metrics().partition_id();
    into.status = content.metrics_status();
    into.metrics = std::move(*content.mutable_metrics());
  }

  caf::actor_system& system_;
  std::vector<partition> partitions_;
};

} // namespace

struct metrics_endpoint::impl {
  std::shared_ptr<collector> source;
  prometheus::Exposer server;
};

metrics_endpoint::metrics_endpoint(std::unique_ptr<impl> parts)
  : impl_(std::move(parts)) {
  // nop
}

metrics_endpoint::~metrics_endpoint() = default;

result<std::unique_ptr<metrics_endpoint>>
metrics_endpoint::open(caf::actor_system& system, const std::string& address,
                       std::vector<partition> partitions) {
  auto source = std::make_shared<collector>(system, std::move(partitions));
  try {
    std::unique_ptr<impl> parts{
      new impl{std::move(source), prometheus::Exposer{address}}};
    parts->server.RegisterCollectable(parts->source);
    return std::unique_ptr<metrics_endpoint>{
      new metrics_endpoint{std::move(parts)}};
  } catch (const std::exception& what) {
    return {errc::io_error, "listen at " + address + ": " + what.what()};
  }
}

int metrics_endpoint::port() const {
  const auto ports = impl_->server.GetListeningPorts();
  return ports.empty() ? 0 : ports.front();
}

} // namespace gnomon
