// The command line of the tool, on an empty disk. Input: arguments, one a line.

#include "storage/ports/file_system.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/memory_file_system.hpp"
#include "tools/command_line.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace gnomon::fuzz {

namespace {

std::vector<std::string> arguments_of(bytes_view input) {
  std::vector<std::string> result{"gnomon"};
  std::string one;
  for (std::istringstream in{bytes{input}}; std::getline(in, one);)
    result.emplace_back(one.c_str());
  return result;
}

/// Says whether a million due dates may be asked for: that is only slow.
bool is_long(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& x) {
    const auto digits = std::ranges::count_if(
      x, [](unsigned char c) { return std::isdigit(c) != 0; });
    return digits > 3 && x.find_first_of("TZ*@/") == std::string::npos;
  });
}

} // namespace

void run(bytes_view input) {
  const auto arguments = arguments_of(input);
  if (arguments.size() > 16 || is_long(arguments))
    return;
  std::vector<const char*> pointers;
  for (const auto& each : arguments)
    pointers.push_back(each.c_str());
  test::memory_file_system files;
  const testing::manual_clock time;
  std::ostringstream out;
  std::ostringstream errors;
  inspection::silent_progress watcher;
  const auto status = tools::run_command_line(
    static_cast<int>(pointers.size()), pointers.data(),
    {files, time, out, errors, watcher});
  GNOMON_CHECK(status >= 0 && status < 20);
  GNOMON_CHECK(status == 0 || !errors.str().empty());
}

} // namespace gnomon::fuzz
