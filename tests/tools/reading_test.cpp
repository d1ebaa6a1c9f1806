#include "storage/system_file_system.hpp"
#include "tests/tools/tool_fixture.hpp"
#include "tools/top.hpp"

#include <chrono>
#include <sstream>

using namespace gnomon;
using namespace gnomon::test;

namespace fs = std::filesystem;

namespace {

class ReadingCommand : public ToolTest {};

TEST_F(ReadingCommand, ListsTimersWhileThePartitionIsRunning) {
  create_timers(3);
  const auto answer = ask("timers");
  ASSERT_EQ(answer["timers"].size(), 3u);
  EXPECT_EQ(answer["timers"][0]["name"], "timer-0");
  EXPECT_EQ(answer["timers"][0]["target"], "greet");
  EXPECT_EQ(answer["timers"][0]["due"], "2100-01-01T00:00:00.000Z");
  EXPECT_TRUE(answer["timers"][0]["key"].is_string());
}

TEST_F(ReadingCommand, SaysAtWhichPositionItReads) {
  create_timers(3);
  const auto at = partition.core().applied_position().value;
  EXPECT_EQ(ask("timers")["position"], at);
  EXPECT_EQ(ask("timers")["may_precede_durability"], true);
  const auto text = tool("timers").out;
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "partition 1 as of position " + std::to_string(at)
              + ", which may precede its durability");
}

TEST_F(ReadingCommand, SeesWhatIsNotDurableYet) {
  partition.submit(create_timer{.when = year_2100, .name = "unsynced"});
  partition.process();
  EXPECT_EQ(ask("timers")["timers"].size(), 1u);
  EXPECT_LT(partition.core().durable_position(),
            partition.core().applied_position());
}

TEST_F(ReadingCommand, DoesNotDisturbARunningPartition) {
  create_timers(2);
  for (const auto* command : {"status", "timers", "jobs", "incidents", "log"})
    EXPECT_EQ(tool(command).status, 0) << command;
  EXPECT_EQ(tool("top", {"--once"}).status, 0);
  create_timers(2, "more-");
  partition.take_snapshot();
  EXPECT_EQ(ask("timers")["timers"].size(), 4u);
  partition.close();
  EXPECT_TRUE(partition.try_open());
}

TEST_F(ReadingCommand, WorksAfterAKill) {
  create_timers(3);
  partition.kill();
  const auto answer = ask("timers");
  EXPECT_EQ(answer["timers"].size(), 3u);
  EXPECT_FALSE(answer.contains("rebuilt_because"));
}

TEST_F(ReadingCommand, MakesAnUntrustedStateAnewElsewhere) {
  create_timers(3);
  partition.kill();
  age_stamp();
  const auto before = fs::last_write_time(own_folder() / "state" / "data.mdb");
  const auto answer = ask("timers");
  EXPECT_EQ(answer["timers"].size(), 3u);
  EXPECT_EQ(answer["rebuilt_because"], "it is not trusted: other_boot");
  EXPECT_EQ(fs::last_write_time(own_folder() / "state" / "data.mdb"), before);
  EXPECT_NE(tool("timers").out.find("made anew"), std::string::npos);
}

TEST_F(ReadingCommand, NeverOpensAStateThatIsNotTrusted) {
  create_timers(3);
  partition.kill();
  age_stamp();
  const auto state = own_folder() / "state" / "data.mdb";
  fs::resize_file(state, 100);
  EXPECT_EQ(ask("timers")["timers"].size(), 3u);
  EXPECT_EQ(fs::file_size(state), 100u);
}

TEST_F(ReadingCommand, MakesAStateAnewFromSnapshotAndLog) {
  grow();
  partition.kill();
  age_stamp();
  EXPECT_NE(segments().front().filename(), "00000000000000000001.log");
  EXPECT_EQ(ask("timers", {"--limit", "0"})["timers"].size(), 2700u);
}

TEST_F(ReadingCommand, LimitsWhatItListsAndSaysSo) {
  create_timers(3);
  EXPECT_EQ(ask("timers", {"--limit", "2"})["timers"].size(), 2u);
  EXPECT_EQ(ask("timers", {"--limit", "2"})["cut"], true);
  EXPECT_EQ(ask("timers", {"--limit", "3"})["cut"], false);
  EXPECT_EQ(ask("timers", {"--limit", "0"})["timers"].size(), 3u);
}

TEST_F(ReadingCommand, FiltersByTargetAndByWhatIsOverdue) {
  create_timers(2);
  partition.submit(
    create_timer{.when = year_2025, .target = "bill", .name = "late"});
  partition.process();
  EXPECT_EQ(ask("timers", {"--target", "bill"})["timers"].size(), 1u);
  EXPECT_EQ(ask("timers", {"--target", "nobody"})["timers"].size(), 0u);
  const auto overdue = ask("timers", {"--overdue"})["timers"];
  ASSERT_EQ(overdue.size(), 1u);
  EXPECT_EQ(overdue[0]["name"], "late");
}

TEST_F(ReadingCommand, ListsJobs) {
  partition.submit(create_timer{.when = clock.wall(), .target = "greet"});
  partition.run();
  const auto jobs = ask("jobs")["jobs"];
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0]["type"], "greet");
  EXPECT_EQ(jobs[0]["phase"], "available");
  EXPECT_EQ(ask("jobs", {"--type", "other"})["jobs"].size(), 0u);
}

TEST_F(ReadingCommand, ListsIncidentsAndTheJobsThatWaitForThem) {
  partition.core().subscribe({"greet", 1, std::chrono::minutes{1}});
  partition.submit(create_timer{.when = clock.wall(), .target = "greet"});
  partition.run();
  const auto pushed = partition.take_jobs();
  ASSERT_EQ(pushed.size(), 1u);
  partition.submit(fail_job{.key = {pushed[0].job.key()},
                            .activation = 1,
                            .message = "no more paper",
                            .retries = 0});
  partition.run();
  const auto incidents = ask("incidents")["incidents"];
  ASSERT_EQ(incidents.size(), 1u);
  EXPECT_EQ(incidents[0]["cause"], "job_without_retries");
  EXPECT_EQ(incidents[0]["message"], "no more paper");
  const auto jobs = ask("jobs")["jobs"];
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0]["phase"], "failed");
  EXPECT_EQ(jobs[0]["incident"], incidents[0]["key"]);
  EXPECT_EQ(ask("status")["incidents"], 1);
}

TEST_F(ReadingCommand, ListsNoIncidentsIfThereAreNone) {
  EXPECT_EQ(ask("incidents")["incidents"].size(), 0u);
  EXPECT_NE(tool("incidents").out.find("no incidents"), std::string::npos);
}

TEST_F(ReadingCommand, TellsHowAPartitionIs) {
  create_timers(3);
  partition.take_snapshot();
  auto answer = ask("status");
  EXPECT_EQ(answer["running"], true);
  EXPECT_EQ(answer["timers"]["waiting"], 3);
  EXPECT_EQ(answer["snapshots"].size(), 1u);
  partition.close();
  answer = ask("status");
  EXPECT_EQ(answer["running"], false);
  EXPECT_EQ(answer["known_durable"], answer["position"]);
}

TEST_F(ReadingCommand, PrintsColumnsThatAreAligned) {
  create_timers(2);
  partition.submit(create_timer{
    .when = year_2100, .target = "a-target-with-a-long-name", .name = "last"});
  partition.process();
  const auto text = tool("timers").out;
  const auto header = text.find("KEY");
  ASSERT_NE(header, std::string::npos);
  const auto line_of = [&](const std::string& word) {
    const auto at = text.find(word);
    return at - (text.rfind('\n', at) + 1);
  };
  EXPECT_EQ(line_of("NAME"), line_of("timer-1"));
  EXPECT_EQ(line_of("NAME"), line_of("last"));
}

TEST_F(ReadingCommand, LeavesNothingForTheTerminalToObey) {
  partition.submit(create_timer{.when = year_2100, .name = "\x1b[31mred\n"});
  partition.process();
  EXPECT_EQ(tool("timers").out.find('\x1b'), std::string::npos);
  EXPECT_EQ(ask("timers")["timers"][0]["name"], "\x1b[31mred\n");
}

TEST_F(ReadingCommand, ShowsTheWaitingRoomWithoutColoursOffTerminal) {
  create_timers(3);
  const auto shown = tool("top", {"--once"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
  EXPECT_NE(shown.out.find("greet"), std::string::npos);
  const auto room = ask("top", {"--once"});
  EXPECT_EQ(room["waiting"], 3);
  EXPECT_EQ(room["targets"]["greet"]["later"], 3);
}

TEST_F(ReadingCommand, ReplacesTheScreenOnATerminalOnly) {
  partition.close();
  inspection::silent_progress watcher;
  for (const auto on_terminal : {false, true}) {
    std::ostringstream out;
    std::ostringstream errors;
    const tools::command_context context{
      storage::system_files(), clock, out, errors, watcher, on_terminal};
    tools::top_request request;
    request.which.directory = directory();
    request.screens_max = 1;
    EXPECT_EQ(tools::run_top(request, context), 0) << errors.str();
    EXPECT_EQ(out.str().starts_with("\x1b[H\x1b[2J"), on_terminal);
  }
}

TEST_F(ReadingCommand, TakesAPartitionsOwnFolder) {
  create_timers(1);
  const auto outcome = run_program({"timers", own_folder().string(), "--json"});
  EXPECT_EQ(outcome.json()["partitions"][0]["timers"].size(), 1u);
}

TEST_F(ReadingCommand, LooksAtAllPartitionsOrAtOne) {
  partition.close();
  auto options = partition.options;
  options.directory = root / "both";
  options.partition_count = 2;
  driven_partition one{clock, options};
  options.id = partition_id{2};
  driven_partition two{clock, options};
  one.open();
  two.open();
  const auto both = (root / "both").string();
  const auto all = run_program({"status", both, "--json"}).json();
  EXPECT_EQ(all["partitions"].size(), 2u);
  const auto second
    = run_program({"status", both, "--partition", "2", "--json"}).json();
  ASSERT_EQ(second["partitions"].size(), 1u);
  EXPECT_EQ(second["partitions"][0]["partition"], 2);
  EXPECT_EQ(run_program({"status", both, "--partition", "3"}).status, 2);
}

TEST_F(ReadingCommand, RefusesBadInputAndSaysWhatWasExpected) {
  const auto nowhere = run_program({"status", (root / "nowhere").string()});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_NE(nowhere.errors.find("expected"), std::string::npos);
  const auto other = run_program({"status", root.string()});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.errors.find("partition-00001"), std::string::npos);
  EXPECT_EQ(run_program({"status"}).status, 2);
  EXPECT_EQ(run_program({"unknown"}).status, 2);
  EXPECT_EQ(tool("timers", {"--limit", "many"}).status, 2);
  EXPECT_EQ(tool("timers", {"--partition", "0"}).status, 2);
  EXPECT_EQ(tool("timers", {"--partition", "8192"}).status, 2);
}

TEST_F(ReadingCommand, FailsIfTheStateCannotBeMadeAnew) {
  grow();
  partition.kill();
  age_stamp();
  fs::remove_all(own_folder() / "snapshots");
  fs::create_directories(own_folder() / "snapshots");
  const auto outcome = tool("timers");
  EXPECT_EQ(outcome.status, 19);
  EXPECT_NE(outcome.errors.find("not_recoverable"), std::string::npos);
}

} // namespace
