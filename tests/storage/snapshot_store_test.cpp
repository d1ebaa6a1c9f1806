#include "storage/checked_file.hpp"
#include "storage/snapshot_store.hpp"
#include "storage/system_file_system.hpp"
#include "tests/storage/state_fixture.hpp"
#include "tests/support/memory_file_system.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace gnomon::storage {

namespace {

constexpr column_family family{20};
constexpr position durable{1'000'000};

class SnapshotStore : public testing::Test {
protected:
  SnapshotStore() {
    std::filesystem::create_directory(where());
    state = *state_store::open(directory.get() / "state");
  }

  path where() const {
    return directory.get() / "snapshots";
  }

  path file_of(std::uint64_t at, const char* name) const {
    return snapshots.location({at}) / name;
  }

  // Applies one more entry, so that each position has other content.
  void apply(std::uint64_t at) {
    const auto key = std::to_string(at);
    const auto done = test::commit_at(*state, at, {{family, key, "v"}});
    ASSERT_TRUE(done) << to_string(done.error());
  }

  // Takes a snapshot at `at`, which is where the state stands then.
  void take(std::uint64_t at) {
    apply(at);
    auto copied = snapshots.copy(*state);
    ASSERT_TRUE(copied) << to_string(copied.error());
    ASSERT_EQ(copied->position(), position{at});
    const auto done = snapshots.publish({at}, durable);
    ASSERT_TRUE(done) << to_string(done.error());
  }

  std::string text_of_snapshot(std::uint64_t at) {
    auto copied = *state_store::open(snapshots.location({at}),
                                     {.access = state_access::sealed_copy});
    return test::text_of(*copied);
  }

  errc verdict(std::uint64_t at) {
    const auto found = snapshots.verify({at});
    return found ? errc::none : found.error().code;
  }

  std::vector<std::uint64_t> listed() {
    std::vector<std::uint64_t> all;
    const auto found = *snapshots.list();
    for (auto at : found)
      all.push_back(at.value);
    return all;
  }

  test::temp_directory directory;
  test::failing_files files{system_files()};
  snapshot_store snapshots{files, where(), log_id{7}};
  std::unique_ptr<state_store> state;
};

using positions = std::vector<std::uint64_t>;

} // namespace

TEST_F(SnapshotStore, HoldsTheStateAtItsPosition) {
  apply(1);
  take(2);
  const auto then = test::text_of(*state);
  apply(3);
  EXPECT_EQ(listed(), positions{2});
  EXPECT_EQ(text_of_snapshot(2), then);
  const auto manifest = *snapshots.verify({2});
  EXPECT_EQ(manifest.log, log_id{7});
  EXPECT_EQ(manifest.bookkeeping,
            (state_bookkeeping{{2}, {2000}, {1}, 9, {20}}));
  EXPECT_EQ(manifest.counts,
            (std::vector<family_count>{{{1}, 1}, {family, 2}}));
  EXPECT_EQ(manifest.file_bytes,
            std::filesystem::file_size(file_of(2, state_file_name)));
}

TEST_F(SnapshotStore, RefusesAStateToWhichNothingWasApplied) {
  const auto copied = snapshots.copy(*state);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, errc::invalid_state);
}

TEST_F(SnapshotStore, IsPublishedOnceTheLogIsDurableThere) {
  apply(5);
  ASSERT_TRUE(snapshots.copy(*state));
  const auto early = snapshots.publish({5}, {4});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, errc::invalid_state);
  EXPECT_EQ(snapshots.publish({6}, {6}).error().code, errc::invalid_state);
  EXPECT_EQ(listed(), positions{});
  EXPECT_TRUE(snapshots.publish({5}, {5}));
  EXPECT_EQ(listed(), positions{5});
}

TEST_F(SnapshotStore, SeesOneMomentWhileThePartitionWrites) {
  apply(1);
  std::atomic<bool> stop = false;
  std::thread writing{[&] {
    for (std::uint64_t at = 2; !stop; ++at)
      apply(at);
  }};
  for (int i = 0; i < 5; ++i) {
    const auto copied = snapshots.copy(*state);
    EXPECT_TRUE(copied);
    // Each position adds one entry, so their number is the position.
    EXPECT_EQ(copied->counts.back(),
              (family_count{family, copied->position().value}));
    EXPECT_TRUE(snapshots.publish(copied->position(), durable));
    EXPECT_TRUE(snapshots.verify(copied->position()));
  }
  stop = true;
  writing.join();
}

TEST_F(SnapshotStore, FindsEveryBitFlippedInTheManifest) {
  take(1);
  const auto name = file_of(1, "manifest");
  const auto bits = test::read_file(name).size() * 8;
  for (std::size_t bit = 0; bit < bits; ++bit) {
    test::flip_bit(name, bit);
    ASSERT_EQ(verdict(1), errc::corrupted) << "bit " << bit;
    test::flip_bit(name, bit);
  }
  EXPECT_EQ(verdict(1), errc::none);
}

TEST_F(SnapshotStore, FindsEveryFlippedBit) {
  take(1);
  // In memory, since there are hundreds of thousands.
  test::memory_file_system memory;
  ASSERT_TRUE(memory.create_directories(snapshots.location({1})));
  for (const auto* name : {"manifest", state_file_name})
    memory.overwrite(file_of(1, name), test::read_file(file_of(1, name)));
  snapshot_store copies{memory, where(), log_id{7}};
  ASSERT_TRUE(copies.verify({1}));
  std::size_t bits = 0;
  for (const auto* name : {"manifest", state_file_name}) {
    auto content = memory.content(file_of(1, name));
    for (std::size_t bit = 0; bit < content.size() * 8; ++bit, ++bits) {
      content[bit / 8] ^= static_cast<char>(1 << bit % 8);
      memory.overwrite(file_of(1, name), content);
      const auto found = copies.verify({1});
      ASSERT_TRUE(!found && found.error().code == errc::corrupted)
        << name << ", bit " << bit;
      content[bit / 8] ^= static_cast<char>(1 << bit % 8);
    }
    memory.overwrite(file_of(1, name), content);
  }
  EXPECT_TRUE(copies.verify({1}));
  EXPECT_GT(bits, 100'000u);
}

TEST_F(SnapshotStore, FindsFilesCutGrownOrGone) {
  take(1);
  for (const auto* name : {"manifest", state_file_name}) {
    const auto whole = test::read_file(file_of(1, name));
    for (const auto& other :
         {whole.substr(0, whole.size() - 1), whole + '\0', bytes{}}) {
      test::write_file(file_of(1, name), other);
      EXPECT_EQ(verdict(1), errc::corrupted) << name << " " << other.size();
    }
    std::filesystem::remove(file_of(1, name));
    EXPECT_EQ(verdict(1), errc::corrupted) << name;
    test::write_file(file_of(1, name), whole);
    EXPECT_EQ(verdict(1), errc::none);
  }
}

TEST_F(SnapshotStore, FindsSnapshotsThatAreMisplacedOrAnothersOrNewer) {
  take(1);
  std::filesystem::copy(snapshots.location({1}), snapshots.location({2}));
  EXPECT_EQ(verdict(2), errc::corrupted);
  snapshot_store others{files, where(), log_id{8}};
  EXPECT_EQ(others.verify({1}).error().code, errc::wrong_identity);
  EXPECT_EQ(others.retire().error().code, errc::wrong_identity);
  test::write_file(file_of(1, "manifest"),
                   encode_checked({"GNMSNAPS", 2}, "whatever"));
  EXPECT_EQ(verdict(1), errc::format_too_new);
  EXPECT_EQ(snapshots.durable_position().error().code, errc::format_too_new);
}

TEST_F(SnapshotStore, NamesThePositionUpToWhichTheLogWasDurable) {
  EXPECT_EQ(*snapshots.durable_position(), position{});
  take(3);
  take(5);
  EXPECT_EQ(*snapshots.durable_position(), position{5});
  // The copied state does not matter for that, the manifest does.
  test::flip_bit(file_of(5, state_file_name), 0);
  EXPECT_EQ(*snapshots.durable_position(), position{5});
  test::flip_bit(file_of(5, "manifest"), 0);
  EXPECT_EQ(*snapshots.durable_position(), position{3});
}

TEST_F(SnapshotStore, ReplacesADamagedSnapshotOfTheSamePosition) {
  take(1);
  ASSERT_TRUE(snapshots.copy(*state));
  EXPECT_TRUE(snapshots.publish({1}, durable));
  EXPECT_EQ(verdict(1), errc::none);
  test::flip_bit(file_of(1, state_file_name), 99);
  ASSERT_TRUE(snapshots.copy(*state));
  EXPECT_TRUE(snapshots.publish({1}, durable));
  EXPECT_EQ(verdict(1), errc::none);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{where()}, {}), 1);
}

TEST_F(SnapshotStore, KeepsTwoAndAllowsCompactionBelowTheOlder) {
  take(1);
  auto retired = *snapshots.retire();
  EXPECT_EQ(retired.compact_below, position{});
  take(2);
  retired = *snapshots.retire();
  EXPECT_EQ(retired.compact_below, position{1});
  take(3);
  retired = *snapshots.retire();
  EXPECT_EQ(retired.compact_below, position{2});
  EXPECT_EQ(retired.kept, (std::vector<position>{{2}, {3}}));
  EXPECT_EQ(listed(), (positions{2, 3}));
  EXPECT_TRUE(retired.damaged.empty());
}

TEST_F(SnapshotStore, KeepsTheLogOfCommandsThatWereNotProcessed) {
  const storage::state_bookkeeping behind{{9}, {9}, {3}, 1, {}};
  ASSERT_TRUE(test::commit(*state, {{storage::bookkeeping_family,
                                     bytes{storage::bookkeeping::entry_key},
                                     storage::bookkeeping::encode(behind)}}));
  ASSERT_TRUE(snapshots.copy(*state));
  ASSERT_TRUE(snapshots.publish({9}, durable));
  take(10);
  EXPECT_EQ(snapshots.retire()->compact_below, position{4});
}

// A damaged one must not count as one of the two.
TEST_F(SnapshotStore, KeepsTwoGoodOnesIfTheNewestIsDamaged) {
  take(1);
  take(2);
  take(3);
  test::flip_bit(file_of(3, state_file_name), 12'345);
  const auto retired = *snapshots.retire();
  EXPECT_EQ(listed(), (positions{1, 2}));
  EXPECT_EQ(retired.compact_below, position{1});
  ASSERT_EQ(retired.damaged.size(), 1u);
  EXPECT_EQ(retired.damaged[0].code, errc::corrupted);
}

TEST_F(SnapshotStore, AllowsNoCompactionIfOnlyOneIsGood) {
  take(1);
  take(2);
  test::flip_bit(file_of(1, "manifest"), 3);
  EXPECT_EQ(snapshots.retire()->compact_below, position{});
  EXPECT_EQ(listed(), positions{2});
}

TEST_F(SnapshotStore, IgnoresWhatIsNoSnapshot) {
  take(1);
  std::filesystem::create_directory(where() / "2");
  std::filesystem::create_directory(where() / "00000000000000000003.tmp");
  std::filesystem::create_directory(where() / "0000000000000000000x");
  EXPECT_EQ(listed(), positions{1});
}

TEST_F(SnapshotStore, RestoresWhatItHolds) {
  take(4);
  const auto then = test::text_of(*state);
  apply(5);
  const auto target = directory.get() / "restored";
  const auto restored = snapshots.restore({4}, target);
  ASSERT_TRUE(restored) << to_string(restored.error());
  EXPECT_EQ(restored->position(), position{4});
  auto again = *state_store::open(target);
  EXPECT_EQ(test::text_of(*again), then);
  // It is a state like any other.
  EXPECT_TRUE(test::commit_at(*again, 5, {{family, "5", "v"}}));
  EXPECT_EQ(test::text_of(*again), test::text_of(*state));
}

TEST_F(SnapshotStore, DoesNotRestoreADamagedOne) {
  take(4);
  test::flip_bit(file_of(4, state_file_name), 70'000);
  const auto target = directory.get() / "restored";
  EXPECT_EQ(snapshots.restore({4}, target).error().code, errc::corrupted);
  EXPECT_FALSE(std::filesystem::exists(target / state_file_name));
}

// Whichever call fails, and whether the process goes on or not: the snapshots
// from before are there, every one that is listed is good, and the next attempt
// succeeds.
TEST_F(SnapshotStore, LosesNothingWhenAnyStepFails) {
  using kind = test::failing_files::kind;
  take(1);
  take(2);
  std::uint64_t at = 2;
  for (auto what : {kind::once, kind::crash}) {
    bool has_struck = true;
    for (std::uint64_t call = 1; has_struck; ++call) {
      apply(++at);
      files.fail_at(call, what);
      auto copied = snapshots.copy(*state);
      if (copied && snapshots.publish(copied->position(), durable))
        (void)snapshots.retire();
      has_struck = files.has_struck();
      files.fail_at(UINT64_MAX, kind::once);
      const auto all = listed();
      ASSERT_GE(all.size(), 2u) << "call " << call;
      for (auto one : all)
        ASSERT_EQ(verdict(one), errc::none) << "call " << call;
      apply(++at);
      copied = snapshots.copy(*state);
      ASSERT_TRUE(copied) << "call " << call << to_string(copied.error());
      ASSERT_TRUE(snapshots.publish({at}, durable));
      const auto retired = snapshots.retire();
      ASSERT_TRUE(retired);
      ASSERT_EQ(retired->kept.size(), 2u);
      ASSERT_EQ(retired->kept.back(), position{at});
      ASSERT_TRUE(retired->damaged.empty());
    }
    EXPECT_GT(at, 40u);
  }
}

TEST_F(SnapshotStore, FailsIfAnyStepOfRestoringFails) {
  using kind = test::failing_files::kind;
  take(1);
  const auto target = directory.get() / "restored";
  std::uint64_t call = 1;
  for (;; ++call) {
    std::filesystem::remove_all(target);
    files.fail_at(call, kind::once);
    const auto restored = snapshots.restore({1}, target);
    if (!files.has_struck())
      break;
    ASSERT_FALSE(restored) << "call " << call;
    EXPECT_EQ(restored.error().code, errc::io_error);
  }
  EXPECT_GT(call, 10u);
  EXPECT_EQ(test::text_of(**state_store::open(target)), test::text_of(*state));
}

} // namespace gnomon::storage
