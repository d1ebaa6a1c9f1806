// Another process, on the other end of two pipes.

#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gnomon::test {

/// Runs a programme. Kills it on destruction.
class child_process {
public:
  /// Starts `arguments[0]` with the rest of the arguments.
  explicit child_process(std::vector<std::string> arguments);

  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  ~child_process();

  /// Returns the next line that it prints; empty at the end of its output.
  std::string read_line();

  /// Writes a line to its standard input.
  void write_line(std::string line);

  /// Closes its standard input and waits for it.
  /// @returns Its exit status, or -1 if it did not exit by itself.
  int finish();

  /// Sends SIGKILL and waits for it.
  void kill();

  /// As above, once `life` has passed.
  void kill_after(std::chrono::milliseconds life);

  /// Stops it for a while, and lets it go on.
  void stop();
  void resume();

  /// Its process id.
  pid_t id() const {
    return id_;
  }

private:
  int wait();

  pid_t id_ = -1;
  int input_ = -1;
  int output_ = -1;
};

} // namespace gnomon::test
