#include "benchmarks/timers/application.hpp"
#include "benchmarks/timers/bare_storage.hpp"
#include "benchmarks/timers/figures.hpp"
#include "gnomon/check.hpp"
#include "storage/segment.hpp"

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t frame_bytes = 344;

/// Writes a string behind the last one and answers once it is durable.
class bare_disk : public caf::event_based_actor {
public:
  bare_disk(caf::actor_config& cfg, std::filesystem::path directory)
    : caf::event_based_actor(cfg), file_(make_segment_file(directory)) {
    // nop
  }

  caf::behavior make_behavior() override {
    return {
      [this](const std::string& content) {
        GNOMON_CHECK(bool(file_->write(at_, content)));
        at_ += content.size();
        GNOMON_CHECK(bool(file_->sync()));
        return true;
      },
    };
  }

private:
  std::unique_ptr<storage::file> file_;
  std::uint64_t at_ = storage::segment_header_bytes;
};

std::vector<double> run_bare(const plan& what, application& app,
                             std::size_t count) {
  const scratch_directory scratch{what.directory / "bare"};
  const auto disk
    = app.system().spawn<bare_disk, caf::detached>(scratch.path());
  auto waits = std::make_shared<series>();
  waits->count_max = count;
  caf::scoped_actor self{app.system()};
  self->wait_for(spawn_one_by_one<bool>(
    app.system(), disk, [] { return std::string(frame_bytes, 'f'); }, waits));
  self->send_exit(disk, caf::exit_reason::user_shutdown);
  self->wait_for(disk);
  return waits->waits_ms;
}

std::vector<double> run_partition(application& app, std::size_t count) {
  auto waits = std::make_shared<series>();
  waits->count_max = count;
  const auto due = system_clock().wall() + spread;
  caf::scoped_actor {
    app.system()
    } -> wait_for(spawn_one_by_one<submit_reply>(
      app.system(), app.target(),
      [due] { return make_submit(plain_timer(due)); }, waits));
  return waits->waits_ms;
}

/// Returns the median time of a write and a sync without any actors.
double run_syncs(const plan& what, std::size_t count) {
  const scratch_directory scratch{what.directory / "bare"};
  const auto file = make_segment_file(scratch.path());
  std::vector<double> waits_ms;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto start = steady::now();
    GNOMON_CHECK(
      bool(file->write(storage::segment_header_bytes + i * frame_bytes,
                       bytes(frame_bytes, 'f'))));
    GNOMON_CHECK(bool(file->sync()));
    waits_ms.push_back(seconds_since(start) * 1e3);
  }
  return percentile(waits_ms, 0.5);
}

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

} // namespace

void measure_one_client(figure_table& table, const plan& what) {
  const std::size_t count = what.quick ? 100 : 300;
  const scratch_directory scratch{what.directory / "one-client"};
  application app;
  app.open({.directory = scratch.path()});
  app.wait_until_open();
  table.show("write and sync, median", run_syncs(what, count) * 1e3, "us");
  // In turns, so that a busy moment of the machine does not hit one alone.
  std::vector<double> bare;
  std::vector<double> reached;
  for (int round = 0; round < 5; ++round) {
    append(bare, run_bare(what, app, count));
    append(reached, run_partition(app, count));
  }
  app.close();
  const auto bare_median = percentile(bare, 0.5);
  const auto median = percentile(reached, 0.5);
  table.show("one client: write and sync behind one request, median",
             bare_median * 1e3, "us");
  table.show("one client: create, median", median * 1e3, "us");
  table.show("one client: create, p99", percentile(reached, 0.99) * 1e3, "us");
  table.at_most("one client: create, times write and sync",
                median / bare_median, 1.3, "x");
}

} // namespace gnomon::benchmarks
