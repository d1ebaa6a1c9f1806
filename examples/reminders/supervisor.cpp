#include "supervisor.hpp"

#include "service.hpp"
#include <csignal>
#include <fstream>
#include <gnomon/clock.hpp>
#include <iostream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reminders {

namespace {

constexpr gnomon::duration progress_interval{1'000};
constexpr gnomon::duration downtime{400};

gnomon::timestamp now() {
  return gnomon::system_clock().wall();
}

gnomon::result<pid_t> start_child(const std::filesystem::path& data,
                                  const std::filesystem::path& file) {
  const auto child = ::fork();
  if (child < 0)
    return {gnomon::errc::unavailable, "start a process"};
  if (child > 0)
    return child;
  // It must not outlive us.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
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

/// Sends `signal` and waits for the end. @returns The status of the process.
int end(pid_t child, int signal) {
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  child_ends_within(gnomon::duration{0}); // Takes the signal off the queue.
  return status;
}

bool is_killed(int status) {
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

bool is_well(int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void end_life(pid_t child, bool is_last, run_outcome& result) {
  if (is_last) {
    result.stopped = now();
    result.ended_well = is_well(end(child, SIGTERM)) && result.ended_well;
    return;
  }
  if (is_killed(end(child, SIGKILL))) {
    ++result.kills;
    std::cout << "  killed process " << child << std::endl;
  } else {
    result.ended_well = false;
    std::cout << "  process " << child << " ended by itself" << std::endl;
  }
  child_ends_within(downtime);
}

} // namespace

gnomon::result<run_outcome> supervise(const std::filesystem::path& data,
                                      const std::filesystem::path& file,
                                      int seconds, int kills) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  const auto begin = now();
  const gnomon::duration total{seconds * 1'000};
  run_outcome result{.kills = 0, .stopped = {}, .ended_well = true};
  for (int life = 0; life <= kills; ++life) {
    const auto child = start_child(data, file);
    if (!child)
      return child.error();
    // Lives differ in length, so that kills come at different moments.
    const auto share = total * (life + 1) / (kills + 1);
    const auto until = begin + (share - gnomon::duration{life * 137 % 400});
    const auto is_alive = watch(*child, begin, until, data);
    result.ended_well = result.ended_well && is_alive;
    end_life(*child, life == kills, result);
  }
  return result;
}

} // namespace reminders
