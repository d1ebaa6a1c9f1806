// Opens a partition, works in it with a single thread, so that calls of the
// system can be counted, and closes it. Prints what is acknowledged as
// `load_process` does, and exits with 3 at the first failure, with 4 if the
// device is full.

#include "gnomon/clock.hpp"
#include "gnomon/commands.hpp"
#include "storage/system_file_system.hpp"
#include "tests/crash/crash_options.hpp"
#include "tests/simulation/client.hpp"

#include "partitions/stream_processor.hpp"
#include <iostream>

namespace {

using namespace gnomon;
using partitions::stream_processor;

constexpr int failed = 3;
constexpr int out_of_space = 4;

void require(const result<void>& outcome) {
  if (outcome)
    return;
  std::cerr << to_string(outcome.error()) << std::endl;
  std::exit(outcome.error().code == errc::out_of_space ? out_of_space : failed);
}

template <class T>
T require(result<T> outcome) {
  if (!outcome)
    require(result<void>{outcome.error()});
  return *std::move(outcome);
}

class script {
public:
  explicit script(const std::filesystem::path& directory)
    : core_(
      require(stream_processor::open(storage::system_files(), system_clock(),
                                     crash::crash_options(directory)))) {
    settle();
  }

  template <class Command>
  void submit(const Command& what) {
    require(core_->submit(simulation::to_record(to_command(what))));
    settle();
  }

  void snapshot() {
    auto& snapshots = core_->storage().snapshots();
    const auto copied = require(snapshots.copy(core_->storage().state()));
    settle();
    require(snapshots.publish(copied.position(), core_->durable_position()));
    require(core_->end_snapshot(require(snapshots.retire())));
  }

  void close() {
    require(core_->close());
  }

private:
  using step_end = stream_processor::step_end;

  void settle() {
    core_->scan_due();
    for (auto end = step_end::progressed; end != step_end::idle;) {
      end = require(core_->step());
      if (auto roll = core_->begin_roll())
        require(core_->end_roll(*roll, roll->run()));
      else if (end == step_end::held)
        std::exit(out_of_space);
    }
    if (auto spare = core_->begin_spare())
      core_->end_spare(*spare, spare->run());
    if (auto sync = core_->begin_sync())
      require(core_->end_sync(*sync, sync->run()));
    for (const auto& effect : core_->take_effects())
      if (const auto* reply = std::get_if<engine::reply>(&effect))
        std::cout << std::to_string(reply->answer.position.value) + ' '
                       + std::to_string(reply->answer.key.value) + ".\n"
                  << std::flush;
  }

  std::unique_ptr<stream_processor> core_;
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  script steps{argv[1]};
  steps.submit(create_timer{.when = duration{0}, .target = "work"});
  steps.submit(create_timer{.when = duration{3'600'000}, .name = "far"});
  for (int i = 0; i < 8; ++i)
    steps.submit(
      create_timer{.when = duration{3'600'000}, .payload = bytes(4'000, 'p')});
  steps.snapshot();
  steps.submit(cancel_timer{{}, "far"});
  for (int i = 0; i < 12; ++i)
    steps.submit(
      create_timer{.when = duration{3'600'000}, .payload = bytes(4'000, 'p')});
  steps.snapshot();
  steps.close();
}
