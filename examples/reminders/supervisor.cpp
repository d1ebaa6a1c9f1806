#include "supervisor.hpp"

#include "service.hpp"
#include <csignal>
#include <fstream>
#include <gnomon/clock.hpp>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace reminders {

namespace {

constexpr gnomon::duration progress_interval{1'000};
constexpr gnomon::duration downtime{400};

gnomon::timestamp now() {
  return gnomon::system_clock().wall();
}

pid_t start_child(const std::filesystem::path& data,
                  const std::filesystem::path& file) {
  const auto child = ::fork();
  if (child < 0)
    throw std::runtime_error("cannot fork");
  if (child > 0)
    return child;
  ::execl("/proc/self/exe", "reminders", "run", "--quiet", "--data",
          data.c_str(), file.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

/// Waits for the end of a child, but not longer than `time`.
bool child_ends_within(gnomon::duration time) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  const timespec limit{time.count() / 1'000, time.count() % 1'000 * 1'000'000};
  return ::sigtimedwait(&signals, nullptr, &limit) == SIGCHLD;
}

std::size_t deliveries_in(const std::filesystem::path& data) {
  std::ifstream in{data / deliveries_file};
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);)
    ++count;
  return count;
}

/// Shows progress until `until`. @returns False if the child has ended.
bool watch(pid_t child, gnomon::timestamp begin, gnomon::timestamp until,
           const std::filesystem::path& data) {
  while (now() < until) {
    const auto rest = std::min(progress_interval, until - now());
    if (child_ends_within(rest))
      return false;
    std::cout << "  " << (now() - begin).count() / 1'000 << " s  process "
              << child << "  delivered " << deliveries_in(data) << std::endl;
  }
  return true;
}

int end_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  child_ends_within(gnomon::duration{0}); // Takes the signal off the queue.
  return status;
}

} // namespace

run_outcome supervise(const std::filesystem::path& data,
                      const std::filesystem::path& file, int seconds,
                      int kills) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  const auto begin = now();
  const gnomon::duration total{seconds * 1'000};
  run_outcome result;
  for (int life = 0; life <= kills; ++life) {
    const auto child = start_child(data, file);
    // Lives differ in length, so that kills come at different moments.
    const auto share = total * (life + 1) / (kills + 1);
    const auto until = begin + (share - gnomon::duration{life * 137 % 400});
    const auto is_alive = watch(child, begin, until, data);
    if (life < kills) {
      ::kill(child, SIGKILL);
      ++result.kills;
      std::cout << "  killed process " << child << std::endl;
    } else {
      result.stopped = now();
      ::kill(child, SIGTERM);
    }
    const auto status = end_of(child);
    result.ended_well
      = is_alive && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (life < kills)
      child_ends_within(downtime);
  }
  return result;
}

} // namespace reminders
