#include "service.hpp"

#include <caf/scoped_actor.hpp>

#include <csignal>
#include <fcntl.h>
#include <gnomon/clock.hpp>
#include <gnomon/module.hpp>
#include <iostream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace reminders {

namespace {

/// The workers' own record of what they did. One for all of them.
class delivery_record {
public:
  explicit delivery_record(const std::filesystem::path& name)
    : file_(
      ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (file_ < 0)
      throw std::runtime_error("cannot open " + name.string());
  }

  ~delivery_record() {
    ::close(file_);
  }

  delivery_record(const delivery_record&) = delete;
  delivery_record& operator=(const delivery_record&) = delete;

  /// Durable once it returns; throws otherwise, so that the job comes again.
  void add(const gnomon::job& what) {
    const auto line
      = std::to_string(what.timer.value) + ' ' + std::to_string(what.occurrence)
        + ' ' + std::to_string(what.key.value) + ' '
        + std::to_string(what.due.value) + ' '
        + std::to_string(gnomon::system_clock().wall().value) + '\n';
    const std::lock_guard guard{mutex_};
    const auto bytes = ::write(file_, line.data(), line.size());
    if (bytes != static_cast<ssize_t>(line.size()) || ::fdatasync(file_) != 0)
      throw std::runtime_error("cannot write the record of deliveries");
  }

private:
  int file_;
  std::mutex mutex_;
};

void create_timers(caf::scoped_actor& self, const gnomon::partition& where,
                   std::uint16_t id, const schedule& what) {
  std::vector<gnomon::v1::Command> commands;
  for (const auto& entry : what.entries)
    if (partition_of(entry) == id)
      commands.push_back(gnomon::to_command(to_command(entry)));
  gnomon::mail_as(self.ptr(), gnomon::make_submit(commands))
    .request(where, caf::infinite)
    .receive(
      [&](const gnomon::submit_reply& reply) {
        gnomon::v1::SubmitReply answers;
        answers.ParseFromString(reply.content);
        for (const auto& answer : answers.answers())
          if (answer.error_code() != 0
              || answer.outcome().rejection_type() != 0)
            std::cerr << "not created: " << answer.error_context()
                      << answer.outcome().rejection_reason() << '\n';
      },
      [](const caf::error& why) {
        std::cerr << "not created: " << to_string(why) << '\n';
      });
}

std::set<std::string> targets_of(const schedule& what) {
  std::set<std::string> result;
  for (const auto& entry : what.entries)
    result.insert(entry.target);
  return result;
}

/// How long workers may still finish what was triggered before the signal.
constexpr timespec drain_time{.tv_sec = 1, .tv_nsec = 0};

/// A second signal cuts the drain short.
void wait_for_signal(const sigset_t& signals) {
  int which = 0;
  ::sigwait(&signals, &which);
  ::sigtimedwait(&signals, nullptr, &drain_time);
}

} // namespace

int serve(const std::filesystem::path& data, const schedule& what) {
  // Blocked before CAF starts its threads, so that only this thread sees them.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  std::filesystem::create_directories(data);
  delivery_record deliveries{data / deliveries_file};
  gnomon::module::init_global_meta_objects();
  caf::actor_system_config cfg;
  cfg.load<gnomon::module>();
  caf::actor_system system{cfg};
  {
    caf::scoped_actor self{system};
    for (std::uint16_t id = 1; id <= partition_count; ++id) {
      const auto where
        = gnomon::spawn_partition(system, {.directory = data,
                                           .id = {id},
                                           .partition_count = partition_count,
                                           .batch_bytes_max = 1 << 20,
                                           .segment_bytes = 4 << 20,
                                           .compact = false});
      for (const auto& target : targets_of(what))
        gnomon::spawn_worker(system, where, target,
                             [&](const gnomon::job& job) {
                               deliveries.add(job);
                               return gnomon::bytes{};
                             });
      create_timers(self, where, id, what);
    }
  }
  wait_for_signal(signals);
  return 0;
}

} // namespace reminders
