#include "tests/crash/child_process.hpp"

#include "gnomon/check.hpp"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace gnomon::test {

namespace {

struct pipe_ends {
  int read = -1;
  int write = -1;
};

pipe_ends make_pipe() {
  int ends[2];
  GNOMON_CHECK(::pipe2(ends, O_CLOEXEC) == 0);
  return {ends[0], ends[1]};
}

} // namespace

child_process::child_process(std::vector<std::string> arguments) {
  const auto input = make_pipe();
  const auto output = make_pipe();
  posix_spawn_file_actions_t actions;
  GNOMON_CHECK(::posix_spawn_file_actions_init(&actions) == 0);
  ::posix_spawn_file_actions_adddup2(&actions, input.read, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO);
  std::vector<char*> pointers;
  for (auto& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const auto failure = ::posix_spawn(&id_, pointers[0], &actions, nullptr,
                                     pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  GNOMON_CHECK(failure == 0);
  ::close(input.read);
  ::close(output.write);
  input_ = input.write;
  output_ = output.read;
}

child_process::~child_process() {
  if (id_ > 0)
    kill();
  ::close(output_);
}

std::string child_process::read_line() {
  std::string line;
  char next = 0;
  while (::read(output_, &next, 1) == 1 && next != '\n')
    line += next;
  return line;
}

void child_process::write_line(std::string line) {
  line += '\n';
  GNOMON_CHECK(::write(input_, line.data(), line.size())
               == static_cast<ssize_t>(line.size()));
}

int child_process::finish() {
  return wait();
}

void child_process::kill() {
  ::kill(id_, SIGKILL);
  wait();
}

void child_process::kill_after(std::chrono::milliseconds life) {
  ::poll(nullptr, 0, static_cast<int>(life.count()));
  kill();
}

void child_process::stop() {
  ::kill(id_, SIGSTOP);
}

void child_process::resume() {
  ::kill(id_, SIGCONT);
}

int child_process::wait() {
  GNOMON_CHECK(id_ > 0);
  ::close(input_);
  int status = 0;
  GNOMON_CHECK(::waitpid(std::exchange(id_, -1), &status, 0) > 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace gnomon::test
