#include "storage/checked_file.hpp"
#include "storage/snapshot_recovery.hpp"
#include "storage/snapshot_store.hpp"
#include "storage/system_file_system.hpp"
#include "tests/storage/state_fixture.hpp"

#include <gtest/gtest.h>

#include <map>

namespace gnomon::storage {

namespace {

constexpr column_family family{20};
const boot_id this_boot{{1}};
const boot_id next_boot{{2}};

partition_directory_options first_of_one() {
  partition_directory_options options;
  options.partition = partition_id{1};
  options.draw_log_id = [] {
    return result<log_id>{log_id{7}};
  };
  return options;
}

class SnapshotRecovery : public testing::Test {
protected:
  // Begins a partition: snapshots at 2 and 4, state at 5, closed cleanly.
  void SetUp() override {
    {
      auto state = *state_store::open(where.state_directory());
      for (std::uint64_t at = 1; at <= 5; ++at) {
        ASSERT_TRUE(
          test::commit_at(*state, at, {{family, std::to_string(at), "v"}}));
        if (at % 2 != 0)
          continue;
        ASSERT_TRUE(snapshots().copy(*state));
        ASSERT_TRUE(snapshots().publish({at}, {at}));
        texts[at] = test::text_of(*state);
      }
      texts[5] = test::text_of(*state);
      ASSERT_TRUE(state->sync());
    }
    ASSERT_TRUE(stamp_clean(files, where, this_boot, {5}));
  }

  snapshot_store snapshots() {
    return {files, where.snapshots_directory(), where.identity().log};
  }

  path file_of(std::uint64_t at, const char* name) {
    return snapshots().location({at}) / name;
  }

  result<recovered_state> recover(const boot_id& boot,
                                  const log_extent& log = {{1}, {5}}) {
    return recover_state(files, where, boot, log);
  }

  // Text of the state on disk; empty if there is none.
  std::string text() {
    if (!std::filesystem::exists(where.state_directory() / state_file_name))
      return "";
    return test::text_of(**state_store::open(where.state_directory()));
  }

  bool is_stamped() const {
    return std::filesystem::exists(where.stamp_file());
  }

  test::temp_directory directory;
  test::failing_files files{system_files()};
  partition_directory where
    = *partition_directory::open(files, directory.get(), first_of_one());
  std::map<std::uint64_t, std::string> texts;
};

} // namespace

TEST_F(SnapshotRecovery, KeepsAStateThatWasClosedCleanlyEvenAfterABoot) {
  const auto recovered = *recover(next_boot);
  EXPECT_EQ(recovered.origin, state_origin::kept);
  EXPECT_EQ(text(), texts[5]);
  const auto found = **read_stamp(files, where.stamp_file());
  EXPECT_FALSE(found.clean);
  EXPECT_EQ(found.boot, next_boot);
}

TEST_F(SnapshotRecovery, KeepsAnUncleanStateWithinOneBootOnly) {
  ASSERT_TRUE(recover(this_boot));
  EXPECT_EQ(recover(this_boot)->origin, state_origin::kept);
  const auto recovered = *recover(next_boot);
  EXPECT_EQ(recovered.origin, state_origin::snapshot);
  EXPECT_EQ(recovered.reason, distrust_reason::other_boot);
  EXPECT_EQ(recovered.snapshot->position(), position{4});
  EXPECT_EQ(text(), texts[4]);
  // Not to be trusted before it was opened and stamped.
  EXPECT_FALSE(is_stamped());
}

TEST_F(SnapshotRecovery, RebuildsADistrustedState) {
  ASSERT_TRUE(distrust(files, where.stamp_file()));
  const auto recovered = *recover(this_boot);
  EXPECT_EQ(recovered.reason, distrust_reason::marked);
  EXPECT_EQ(text(), texts[4]);
  ASSERT_TRUE(stamp_opened(files, where, this_boot));
  EXPECT_EQ(recover(this_boot)->origin, state_origin::kept);
}

TEST_F(SnapshotRecovery, RebuildsAStateThatWasCopied) {
  const auto file = where.state_directory() / state_file_name;
  std::filesystem::copy_file(file, directory.get() / "aside");
  std::filesystem::rename(directory.get() / "aside", file);
  EXPECT_EQ(recover(this_boot)->reason, distrust_reason::other_file);
  EXPECT_EQ(text(), texts[4]);
}

// Garbage that would abort the process if LMDB saw it.
TEST_F(SnapshotRecovery, DoesNotOpenAnUntrustedState) {
  test::write_file(where.state_directory() / state_file_name,
                   bytes(100'000, '\xAB'));
  ASSERT_TRUE(distrust(files, where.stamp_file()));
  EXPECT_EQ(recover(this_boot)->origin, state_origin::snapshot);
  EXPECT_EQ(text(), texts[4]);
}

TEST_F(SnapshotRecovery, FallsBackToTheOlderSnapshot) {
  test::flip_bit(file_of(4, state_file_name), 54'321);
  const auto recovered = *rebuild_state(files, where, {{1}, {5}});
  EXPECT_EQ(recovered.snapshot->position(), position{2});
  ASSERT_EQ(recovered.passed_over.size(), 1u);
  EXPECT_EQ(recovered.passed_over[0].code, errc::corrupted);
  EXPECT_EQ(text(), texts[2]);
}

TEST_F(SnapshotRecovery, FallsBackOnlyIfTheLogCoversTheGap) {
  test::flip_bit(file_of(4, state_file_name), 54'321);
  const auto refused = rebuild_state(files, where, {{4}, {5}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::not_recoverable);
  for (const auto* part : {"log begins at 4", "snapshot 2", "checksum"})
    EXPECT_NE(refused.error().context.find(part), std::string::npos)
      << refused.error().context;
  // Nothing is deleted that an operator might still want.
  EXPECT_TRUE(is_stamped());
  EXPECT_EQ(text(), texts[5]);
  EXPECT_EQ(rebuild_state(files, where, {{3}, {5}})->snapshot->position(),
            position{2});
}

TEST_F(SnapshotRecovery, PassesOverSnapshotsBeyondTheEndOfTheLog) {
  EXPECT_EQ(rebuild_state(files, where, {{1}, {4}})->snapshot->position(),
            position{4});
  const auto recovered = *rebuild_state(files, where, {{1}, {3}});
  EXPECT_EQ(recovered.snapshot->position(), position{2});
  EXPECT_EQ(recovered.passed_over[0].code, errc::lost_data);
}

TEST_F(SnapshotRecovery, BeginsWithNothingIfTheLogIsWhole) {
  test::flip_bit(file_of(4, "manifest"), 1);
  std::filesystem::remove(file_of(2, "manifest"));
  const auto recovered = *rebuild_state(files, where, {{1}, {5}});
  EXPECT_EQ(recovered.origin, state_origin::nothing);
  EXPECT_EQ(recovered.passed_over.size(), 2u);
  EXPECT_EQ(text(), "");
  const auto refused = rebuild_state(files, where, {{2}, {5}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::not_recoverable);
}

TEST_F(SnapshotRecovery, TouchesNothingIfTheSnapshotIsOfALaterVersion) {
  test::write_file(file_of(4, "manifest"),
                   encode_checked({"GNMSNAPS", 2}, "whatever"));
  EXPECT_EQ(rebuild_state(files, where, {{1}, {5}}).error().code,
            errc::format_too_new);
  EXPECT_TRUE(is_stamped());
  EXPECT_EQ(text(), texts[5]);
}

// An operator who reads "not recoverable" would give up what is still there.
TEST_F(SnapshotRecovery, DoesNotTakeADeviceThatFailsForALossOfData) {
  std::uint64_t call = 1;
  for (;; ++call) {
    files.fail_at(call, test::failing_files::kind::crash);
    const auto failed = rebuild_state(files, where, {{4}, {5}});
    const auto has_struck = files.has_struck();
    files.fail_at(UINT64_MAX, test::failing_files::kind::once);
    if (!has_struck)
      break;
    if (!failed) {
      EXPECT_EQ(failed.error().code, errc::io_error) << "call " << call;
    }
    ASSERT_TRUE(rebuild_state(files, where, {{4}, {5}})) << "call " << call;
  }
  EXPECT_GT(call, 10u);
}

// A crash in any step repeats it with the same result.
TEST_F(SnapshotRecovery, HasTheSameResultAfterACrashInAnyStep) {
  using kind = test::failing_files::kind;
  for (auto what : {kind::once, kind::crash}) {
    std::uint64_t call = 1;
    for (;; ++call) {
      ASSERT_TRUE(stamp_clean(files, where, this_boot, {5}));
      ASSERT_TRUE(distrust(files, where.stamp_file()));
      files.fail_at(call, what);
      const auto failed = recover(this_boot);
      const auto has_struck = files.has_struck();
      files.fail_at(UINT64_MAX, kind::once);
      const auto recovered = recover(this_boot);
      ASSERT_TRUE(recovered) << "call " << call;
      ASSERT_EQ(recovered->snapshot->position(), position{4});
      ASSERT_EQ(text(), texts[4]);
      if (!has_struck)
        break;
      // If it went on despite the failure, it has used another snapshot or
      // replays all, and says so.
      EXPECT_TRUE(!failed || !failed->passed_over.empty()) << "call " << call;
    }
    EXPECT_GT(call, 20u);
  }
}

} // namespace gnomon::storage
