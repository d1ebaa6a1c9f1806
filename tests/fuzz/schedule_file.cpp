// The schedule file of the reminders example.

#include "examples/reminders/schedule_file.hpp"

#include "gnomon/recurrence.hpp"
#include "tests/fuzz/target.hpp"

#include <sstream>

namespace gnomon::fuzz {

void run(bytes_view input) {
  std::istringstream in{bytes{input}};
  const auto read = reminders::read_schedule(in, {1'704'067'200'000});
  const auto lines
    = 1
      + static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n'));
  for (const auto& each : read.faults) {
    GNOMON_CHECK(each.line >= 1 && each.line <= lines);
    GNOMON_CHECK(each.column >= 1);
    GNOMON_CHECK(!each.reason.empty());
  }
  for (const auto& each : read.entries) {
    GNOMON_CHECK(each.line >= 1 && each.line <= lines);
    GNOMON_CHECK(recurrence::parse(each.when, {}, {1'704'067'200'000}));
    const auto command = reminders::to_command(each);
    GNOMON_CHECK(command.name == reminders::name_of(each));
    GNOMON_CHECK(command.payload == each.payload);
  }
}

} // namespace gnomon::fuzz
