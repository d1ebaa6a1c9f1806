#include "tests/tools/tool_fixture.hpp"

#include <lmdb.h>

using namespace gnomon;
using namespace gnomon::test;

namespace fs = std::filesystem;

namespace {

/// Offset of the first frame of a segment.
constexpr std::uint64_t first_frame = 64;

class VerifyCommand : public ToolTest {
protected:
  /// Returns the kinds of damage found.
  std::vector<std::string> findings() const {
    std::vector<std::string> kinds;
    const auto answer = ask("verify");
    for (const auto& each : answer["findings"])
      kinds.push_back(each["kind"]);
    return kinds;
  }

  fs::path newest_snapshot() const {
    std::vector<fs::path> all;
    for (const auto& each : fs::directory_iterator{own_folder() / "snapshots"})
      all.push_back(each.path());
    return *std::ranges::max_element(all);
  }
};

using kinds = std::vector<std::string>;

/// Changes an entry of the state as no applier would.
void damage_state(const fs::path& state, const char* family, bytes_view key,
                  bytes_view value) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi in = 0;
  ASSERT_EQ(mdb_env_create(&env), 0);
  ASSERT_EQ(mdb_env_set_maxdbs(env, 128), 0);
  ASSERT_EQ(mdb_env_set_mapsize(env, 256 << 20), 0);
  ASSERT_EQ(mdb_env_open(env, state.c_str(), 0, 0644), 0);
  ASSERT_EQ(mdb_txn_begin(env, nullptr, 0, &txn), 0);
  ASSERT_EQ(mdb_dbi_open(txn, family, MDB_CREATE, &in), 0);
  MDB_val to{key.size(), const_cast<char*>(key.data())};
  MDB_val what{value.size(), const_cast<char*>(value.data())};
  ASSERT_EQ(mdb_put(txn, in, &to, &what, 0), 0);
  ASSERT_EQ(mdb_txn_commit(txn), 0);
  mdb_env_close(env);
}

TEST_F(VerifyCommand, FindsNothingWhileThePartitionIsRunning) {
  grow();
  const auto found = tool("verify", {"--json"});
  EXPECT_EQ(found.status, 0) << found.out << found.errors;
  const auto answer = found.json()["partitions"][0];
  EXPECT_EQ(answer["running"], true);
  EXPECT_EQ(answer["snapshots"].size(), 2u);
  EXPECT_EQ(answer["state_compared_at"],
            partition.core().applied_position().value);
  EXPECT_NE(answer["replayed_from"], 0);
  EXPECT_EQ(tool("verify").status, 0);
}

TEST_F(VerifyCommand, ReplaysFromTheBeginningIfTheLogHasIt) {
  create_timers(10);
  partition.take_snapshot();
  create_timers(10, "more-");
  partition.close();
  const auto answer = ask("verify");
  EXPECT_EQ(answer["replayed_from"], 0);
  EXPECT_EQ(answer["findings"].size(), 0u);
  EXPECT_EQ(answer["records"], answer["position"]);
}

TEST_F(VerifyCommand, FindsNothingAfterAKill) {
  create_timers(10);
  partition.submit(create_timer{.when = year_2100});
  partition.process();
  partition.kill();
  EXPECT_EQ(tool("verify").status, 0);
}

TEST_F(VerifyCommand, NotesThatAStateIsNotTrusted) {
  create_timers(10);
  partition.kill();
  age_stamp();
  const auto answer = ask("verify");
  EXPECT_EQ(answer["findings"].size(), 0u);
  EXPECT_TRUE(answer["state_compared_at"].is_null());
  ASSERT_EQ(answer["notes"].size(), 1u);
}

TEST_F(VerifyCommand, FindsAFlippedByteInTheLog) {
  create_timers(10);
  create_timers(10, "more-");
  partition.close();
  flip(segments().front(), first_frame + 200);
  const auto found = tool("verify");
  EXPECT_EQ(found.status, 12) << found.out;
  EXPECT_NE(found.out.find("00000000000000000001.log"), std::string::npos);
  EXPECT_NE(found.out.find("offset"), std::string::npos);
}

TEST_F(VerifyCommand, FindsAFlippedByteInASealedSegmentWhileRunning) {
  grow();
  flip(segments().front(), first_frame + 200);
  EXPECT_EQ(tool("verify").status, 12);
}

TEST_F(VerifyCommand, FindsAFlippedByteInASnapshot) {
  create_timers(10);
  partition.take_snapshot();
  partition.close();
  const auto snapshot = newest_snapshot();
  flip(snapshot / "data.mdb", fs::file_size(snapshot / "data.mdb") / 2);
  const auto found = tool("verify");
  EXPECT_EQ(found.status, 17) << found.out;
  EXPECT_NE(found.out.find("checksum"), std::string::npos);
}

TEST_F(VerifyCommand, FindsADamagedManifest) {
  create_timers(10);
  partition.take_snapshot();
  partition.close();
  flip(newest_snapshot() / "manifest", 30);
  EXPECT_EQ(tool("verify").status, 17);
}

TEST_F(VerifyCommand, FindsALostSegment) {
  for (const auto* prefix : {"first-", "second-", "third-", "fourth-"})
    create_timers(900, prefix);
  partition.close();
  ASSERT_GE(segments().size(), 3u);
  fs::remove(segments()[1]);
  EXPECT_EQ(tool("verify").status, 13);
}

TEST_F(VerifyCommand, FindsALostEnd) {
  for (const auto* prefix : {"first-", "second-", "third-"})
    create_timers(900, prefix);
  partition.close();
  fs::remove(segments().back());
  const auto found = tool("verify");
  EXPECT_EQ(found.status, 14) << found.out << found.errors;
}

TEST_F(VerifyCommand, FindsAnEntryOfTheStateThatNoEventMade) {
  create_timers(10);
  const auto state = partition.state_directory();
  partition.close();
  EXPECT_EQ(tool("verify").status, 0);
  damage_state(state, "cf-21", "ghost", "12345678");
  const auto found = tool("verify");
  EXPECT_EQ(found.status, 18) << found.out;
  EXPECT_NE(found.out.find("column family 21, key 67686f7374"),
            std::string::npos);
}

TEST_F(VerifyCommand, FindsAChangedEntryOfTheState) {
  create_timers(10);
  const auto state = partition.state_directory();
  partition.close();
  damage_state(state, "cf-21", "timer-3", "12345678");
  EXPECT_EQ(findings(), kinds{"state_differs"});
}

TEST_F(VerifyCommand, FindsDamagedNames) {
  create_timers(1);
  partition.close();
  flip(own_folder() / "IDENTITY", 17);
  EXPECT_EQ(tool("verify").status, 10);
  flip(own_folder() / "IDENTITY", 17);
  EXPECT_EQ(tool("verify").status, 0);
  flip(partition.options.directory / "FORMAT", 0);
  EXPECT_EQ(tool("verify").status, 10);
}

TEST_F(VerifyCommand, FindsASegmentOfAnotherLog) {
  create_timers(1);
  partition.close();
  driven_partition other{clock, options_for("second")};
  other.open();
  other.close();
  fs::copy_file(other.options.directory / "partition-00001" / "log"
                  / segments().front().filename(),
                segments().front(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(tool("verify").status, 10);
}

TEST_F(VerifyCommand, FindsThatNothingCouldBeRecovered) {
  grow();
  partition.close();
  fs::remove_all(own_folder() / "snapshots");
  fs::create_directories(own_folder() / "snapshots");
  EXPECT_EQ(findings(), kinds{"not_recoverable"});
  EXPECT_EQ(tool("verify").status, 19);
}

TEST_F(VerifyCommand, ChangesNothing) {
  grow();
  partition.close();
  const auto stamp = fs::last_write_time(own_folder() / "stamp");
  const auto state = fs::last_write_time(own_folder() / "state" / "data.mdb");
  EXPECT_EQ(tool("verify").status, 0);
  EXPECT_EQ(fs::last_write_time(own_folder() / "stamp"), stamp);
  EXPECT_EQ(fs::last_write_time(own_folder() / "state" / "data.mdb"), state);
}

TEST_F(VerifyCommand, ListsItsExitStatuses) {
  const auto help = run_program({"verify", "--help"}).out;
  for (const auto* kind : {"log_corrupted", "state_differs", "snapshot", "19"})
    EXPECT_NE(help.find(kind), std::string::npos) << kind;
}

} // namespace
