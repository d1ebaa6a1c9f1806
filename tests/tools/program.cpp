#include "tests/tools/program.hpp"

#include "gnomon/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace gnomon::test {

namespace {

int unnamed_file() {
  char name[] = "/tmp/gnomon-output-XXXXXX";
  const auto number = ::mkostemp(name, O_CLOEXEC);
  GNOMON_CHECK(number >= 0);
  ::unlink(name);
  return number;
}

std::string content_of(int number) {
  std::string text;
  char piece[4096];
  ::lseek(number, 0, SEEK_SET);
  for (ssize_t size = 0; (size = ::read(number, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(size));
  return text;
}

} // namespace

program::program(const std::vector<std::string>& arguments)
  : out_(unnamed_file()), errors_(unnamed_file()) {
  std::vector<std::string> owned{GNOMON_TOOL};
  owned.insert(owned.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& each : owned)
    argv.push_back(each.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out_, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors_, STDERR_FILENO);
  const auto failed
    = ::posix_spawn(&id_, GNOMON_TOOL, &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  GNOMON_CHECK(failed == 0);
}

program::~program() {
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  ::close(out_);
  ::close(errors_);
}

void program::wait_for_output() {
  struct stat printed {};
  siginfo_t ended{};
  while (printed.st_size == 0 && ended.si_pid == 0) {
    ::sched_yield();
    ::fstat(out_, &printed);
    ::waitid(P_PID, static_cast<id_t>(id_), &ended,
             WEXITED | WNOHANG | WNOWAIT);
  }
}

program_outcome program::wait() {
  GNOMON_CHECK(id_ > 0);
  int ended = 0;
  ::waitpid(id_, &ended, 0);
  id_ = -1;
  return {WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, content_of(out_),
          content_of(errors_)};
}

program_outcome run_program(const std::vector<std::string>& arguments) {
  return program{arguments}.wait();
}

} // namespace gnomon::test
