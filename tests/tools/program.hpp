// Runs the program `gnomon` as a user would.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gnomon::test {

/// What a program printed, and its exit status; -1 if it was killed.
struct program_outcome {
  int status = -1;
  std::string out;
  std::string errors;

  /// Returns what was printed, parsed; discarded if it is no JSON.
  nlohmann::json json() const {
    return nlohmann::json::parse(out, nullptr, false);
  }
};

/// A program that was started; it writes to files that are read at the end.
class program {
public:
  /// Starts `gnomon` with `arguments`.
  explicit program(const std::vector<std::string>& arguments);

  program(const program&) = delete;

  /// Kills it if nobody has waited for it.
  ~program();

  /// Waits until it has printed something.
  void wait_for_output();

  /// Waits for the end.
  program_outcome wait();

private:
  pid_t id_ = -1;
  int out_ = -1;
  int errors_ = -1;
};

/// Runs `gnomon` with `arguments` and waits for the end.
program_outcome run_program(const std::vector<std::string>& arguments);

} // namespace gnomon::test
