#include "tests/tools/tool_fixture.hpp"

#include "storage/stamp.hpp"
#include "storage/system_file_system.hpp"

#include <algorithm>
#include <fstream>

namespace gnomon::test {

namespace fs = std::filesystem;

ToolTest::ToolTest() {
  EXPECT_EQ(partition.process(), driven_partition::step_end::idle);
}

std::string ToolTest::directory() const {
  return partition.options.directory.string();
}

fs::path ToolTest::own_folder() const {
  return partition.options.directory / "partition-00001";
}

void ToolTest::create_timers(int count, const std::string& prefix) {
  for (int i = 0; i < count; ++i)
    partition.submit(create_timer{.when = year_2100,
                                  .target = "greet",
                                  .payload = bytes(500, 'x'),
                                  .name = prefix + std::to_string(i)});
  partition.process();
  partition.sync();
}

void ToolTest::grow() {
  create_timers(900, "first-");
  partition.take_snapshot();
  create_timers(900, "second-");
  partition.take_snapshot();
  create_timers(900, "third-");
  ASSERT_GT(segments().size(), 1u);
}

std::vector<fs::path> ToolTest::segments() const {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{own_folder() / "log"})
    if (entry.path().extension() == ".log")
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

program_outcome ToolTest::tool(const std::string& command,
                               const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{command, directory()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

nlohmann::json ToolTest::ask(const std::string& command,
                             const std::vector<std::string>& more) const {
  auto arguments = more;
  arguments.push_back("--json");
  const auto outcome = tool(command, arguments);
  EXPECT_EQ(outcome.errors, "");
  const auto answer = outcome.json();
  EXPECT_TRUE(answer.is_object()) << outcome.out;
  if (!answer.is_object()
      || answer.value("partitions", nlohmann::json{}).empty())
    return {};
  return answer["partitions"][0];
}

void ToolTest::flip(const fs::path& file, std::uint64_t offset) {
  std::fstream open{file, std::ios::in | std::ios::out | std::ios::binary};
  ASSERT_TRUE(open) << file;
  open.seekg(static_cast<std::streamoff>(offset));
  const auto byte = open.get();
  open.seekp(static_cast<std::streamoff>(offset));
  open.put(static_cast<char>(byte ^ 1));
}

void ToolTest::age_stamp() {
  const auto name = own_folder() / "stamp";
  auto found = storage::read_stamp(storage::system_files(), name);
  ASSERT_TRUE(found && *found);
  (*found)->boot.value[0] ^= 1;
  (*found)->clean = false;
  ASSERT_TRUE(storage::write_stamp(storage::system_files(), name, **found));
}

} // namespace gnomon::test
