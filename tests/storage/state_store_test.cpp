#include "storage/ports/bookkeeping.hpp"
#include "storage/state_content.hpp"
#include "storage/state_store.hpp"
#include "tests/storage/state_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

namespace gnomon::storage {

namespace {

using test::commit;

constexpr column_family first{10};
constexpr column_family second{1000};

class StateStore : public testing::Test {
protected:
  path where() const {
    return directory.get() / "state";
  }

  std::unique_ptr<state_store> open(state_store_options options = {}) {
    auto opened = state_store::open(where(), options);
    EXPECT_TRUE(opened) << to_string(opened.error());
    return *std::move(opened);
  }

  test::temp_directory directory;
};

std::optional<bytes> value_of(const state_reader& from, column_family family,
                              bytes_view key) {
  const auto found = from.get(family, key);
  if (!found)
    return std::nullopt;
  return bytes{*found};
}

std::vector<bytes> keys_from(const state_reader& from, column_family family,
                             bytes_view start) {
  std::vector<bytes> keys;
  from.visit(family, start, [&](bytes_view key, bytes_view) {
    keys.emplace_back(key);
    return true;
  });
  return keys;
}

} // namespace

TEST_F(StateStore, KeepsWhatWasCommitted) {
  {
    auto state = open();
    ASSERT_TRUE(commit(*state, {{first, "a", "1"}, {second, "a", ""}}));
  }
  auto state = open();
  auto view = *state->reader();
  EXPECT_EQ(value_of(*view, first, "a"), "1");
  EXPECT_EQ(value_of(*view, second, "a"), "");
  EXPECT_EQ(value_of(*view, second, "b"), std::nullopt);
  EXPECT_EQ(view->failure(), std::nullopt);
}

TEST_F(StateStore, DropsWhatWasAborted) {
  auto state = open();
  {
    auto aborted = *state->begin();
    aborted->put(first, "a", "1");
    EXPECT_EQ(value_of(*aborted, first, "a"), "1");
    aborted->abort();
  }
  {
    auto forgotten = *state->begin();
    forgotten->put(first, "b", "1");
  }
  EXPECT_EQ(test::text_of(*state), "");
}

// The handle of a column family dies with the transaction that created it.
TEST_F(StateStore, CreatesAColumnFamilyAgainAfterAnAbort) {
  auto state = open();
  for (int i = 0; i < 3; ++i) {
    auto txn = *state->begin();
    txn->put(column_family{static_cast<std::uint16_t>(100 + i)}, "k", "lost");
    txn->put(first, "k", "lost");
    txn->abort();
  }
  ASSERT_TRUE(commit(*state, {{second, "k", "kept"}}));
  ASSERT_TRUE(commit(*state, {{first, "k", "kept"}}));
  EXPECT_EQ(test::text_of(*state), "10 6b = 6b657074\n1000 6b = 6b657074\n");
}

TEST_F(StateStore, VisitsKeysInTheOrderOfTheirBytes) {
  auto state = open();
  ASSERT_TRUE(commit(*state, {{first, "\xFF", ""},
                              {first, "b", ""},
                              {first, bytes(1, '\0'), ""},
                              {first, "ba", ""},
                              {second, "a", ""}}));
  auto view = *state->reader();
  EXPECT_EQ(keys_from(*view, first, ""),
            (std::vector<bytes>{bytes(1, '\0'), "b", "ba", "\xFF"}));
  EXPECT_EQ(keys_from(*view, first, "b"),
            (std::vector<bytes>{"b", "ba", "\xFF"}));
  EXPECT_EQ(keys_from(*view, first, bytes("b\0", 2)),
            (std::vector<bytes>{"ba", "\xFF"}));
  EXPECT_EQ(keys_from(*view, first, "\xFF\x01"), std::vector<bytes>{});
  EXPECT_EQ(keys_from(*view, column_family{999}, ""), std::vector<bytes>{});
}

TEST_F(StateStore, LetsAVisitorReadAndStop) {
  auto state = open();
  ASSERT_TRUE(
    commit(*state, {{first, "a", "1"}, {first, "b", "2"}, {first, "c", "3"}}));
  auto txn = *state->begin();
  std::vector<bytes> seen;
  txn->visit(first, "", [&](bytes_view key, bytes_view value) {
    seen.emplace_back(key);
    EXPECT_EQ(value_of(*txn, first, "c"), "3");
    EXPECT_EQ(keys_from(*txn, first, "b").size(), 2u);
    seen.emplace_back(value);
    return key < "b";
  });
  EXPECT_EQ(seen, (std::vector<bytes>{"a", "1", "b", "2"}));
}

TEST_F(StateStore, CountsEntriesOfTheOpenTransaction) {
  auto state = open();
  ASSERT_TRUE(commit(*state, {{first, "a", "1"}, {first, "b", "1"}}));
  auto txn = *state->begin();
  EXPECT_EQ(txn->count(first), 2u);
  txn->put(first, "c", "1");
  txn->put(first, "c", "2");
  EXPECT_TRUE(txn->erase(first, "a"));
  EXPECT_FALSE(txn->erase(first, "a"));
  EXPECT_FALSE(txn->erase(second, "a"));
  EXPECT_EQ(txn->count(first), 2u);
  EXPECT_EQ(txn->count(second), 0u);
}

TEST_F(StateStore, TakesKeysOfOneTo511Bytes) {
  auto state = open();
  const bytes longest(511, 'k');
  EXPECT_TRUE(commit(*state, {{first, longest, "1"}, {first, "k", "2"}}));
  for (const auto& key : {bytes(512, 'k'), bytes{}}) {
    const auto done = commit(*state, {{first, "x", "1"}, {first, key, "1"}});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, errc::invalid_argument);
  }
  auto view = *state->reader();
  EXPECT_EQ(value_of(*view, first, longest), "1");
  EXPECT_EQ(value_of(*view, first, bytes(512, 'k')), std::nullopt);
  EXPECT_EQ(value_of(*view, first, ""), std::nullopt);
  EXPECT_EQ(view->failure(), std::nullopt);
  EXPECT_EQ(view->count(first), 2u);
}

TEST_F(StateStore, TakesColumnFamilies1To1999) {
  auto state = open();
  EXPECT_TRUE(commit(*state, {{{1}, "k", ""}, {{1999}, "k", ""}}));
  for (std::uint16_t id : {0, 2000}) {
    const auto done = commit(*state, {{{id}, "k", ""}});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, errc::invalid_argument);
  }
}

TEST_F(StateStore, FailsBeyondItsNumberOfColumnFamilies) {
  auto state = open({.families_max = 2});
  ASSERT_TRUE(commit(*state, {{{1}, "k", ""}, {{2}, "k", ""}}));
  const auto done = commit(*state, {{{3}, "k", ""}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, errc::invalid_argument);
  EXPECT_TRUE(commit(*state, {{{2}, "l", ""}}));
}

TEST_F(StateStore, KeepsTheFirstFailure) {
  auto state = open();
  ASSERT_TRUE(commit(*state, {{first, "a", "1"}}));
  auto txn = *state->begin();
  txn->put(first, "", "1");
  const auto reason = txn->failure();
  ASSERT_TRUE(reason);
  EXPECT_EQ(value_of(*txn, first, "a"), std::nullopt);
  EXPECT_EQ(txn->count(first), 0u);
  EXPECT_FALSE(txn->erase(first, "a"));
  txn->put({0}, "a", "1");
  EXPECT_EQ(txn->failure(), reason);
  const auto done = txn->commit();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error(), *reason);
  EXPECT_TRUE(commit(*state, {{first, "b", "1"}}));
}

// The map is full in the middle of a batch: nothing of it is kept, and smaller
// batches still pass, in the same store.
TEST_F(StateStore, KeepsNothingOfABatchThatFindsTheMapFull) {
  auto state = open({.map_bytes = 1 << 20});
  ASSERT_TRUE(commit(*state, {{first, "kept", "1"}}));
  const auto before = test::text_of(*state);
  for (int i = 0; i < 3; ++i) {
    auto txn = *state->begin();
    for (int j = 0; j < 1000 && !txn->failure(); ++j)
      txn->put(first, std::to_string(j), bytes(3000, 'v'));
    ASSERT_TRUE(txn->failure());
    EXPECT_EQ(txn->failure()->code, errc::out_of_space);
    const auto done = txn->commit();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, errc::out_of_space);
    EXPECT_EQ(test::text_of(*state), before);
  }
  EXPECT_TRUE(commit(*state, {{first, "later", "1"}}));
  EXPECT_TRUE(state->sync());
}

TEST_F(StateStore, FitsAfterReopeningWithALargerMap) {
  auto fill = [](state_store& state) {
    std::vector<test::put> entries;
    for (int j = 0; j < 500; ++j)
      entries.push_back({first, std::to_string(j), bytes(3000, 'v')});
    return commit(state, entries);
  };
  EXPECT_FALSE(fill(*open({.map_bytes = 1 << 20})));
  EXPECT_TRUE(fill(*open({.map_bytes = 16 << 20})));
  EXPECT_EQ((*open()->reader())->count(first), 500u);
}

// Filled to the last page, LMDB may find out only while it commits.
TEST_F(StateStore, IsSoundAfterACommitFoundTheMapFull) {
  int count = 0;
  {
    auto state = open({.map_bytes = 1 << 20});
    while (commit(*state, {{first, std::to_string(count), bytes(3000, 'v')}}))
      ++count;
    ASSERT_GT(count, 100);
    const auto begun = state->begin();
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().code, errc::io_error);
    EXPECT_EQ(state->sync().error().code, errc::io_error);
  }
  auto state = open({.map_bytes = 2 << 20});
  EXPECT_EQ((*state->reader())->count(first), std::uint64_t(count));
  auto txn = *state->begin();
  for (int i = 0; i < count; ++i)
    EXPECT_TRUE(txn->erase(first, std::to_string(i)));
  ASSERT_TRUE(txn->commit());
  EXPECT_EQ(test::text_of(*state), "");
}

TEST_F(StateStore, TellsHowMuchOfTheMapIsLeft) {
  auto state = open({.map_bytes = 1 << 20});
  const auto at_first = *state->bytes_left();
  EXPECT_LT(at_first, 1u << 20);
  EXPECT_EQ(at_first, (1u << 20) - state->bytes_used());
  ASSERT_TRUE(commit(*state, {{first, "a", bytes(500'000, 'v')}}));
  const auto filled = *state->bytes_left();
  EXPECT_LT(filled, at_first - 500'000);
  // The file does not shrink, but its pages can be used again.
  const auto used = state->bytes_used();
  auto txn = *state->begin();
  EXPECT_TRUE(txn->erase(first, "a"));
  ASSERT_TRUE(txn->commit());
  EXPECT_GE(state->bytes_used(), used);
  EXPECT_GT(*state->bytes_left(), filled + 450'000);
}

TEST_F(StateStore, ViewStaysAsItIsWhileAnotherThreadWrites) {
  auto state = open();
  ASSERT_TRUE(commit(*state, {{first, "a", "old"}}));
  auto view = *state->reader();
  std::thread{[&] {
    // Also a column family that the view's time did not have.
    for (int i = 0; i < 100; ++i)
      ASSERT_TRUE(commit(*state, {{first, "a", "new"},
                                  {first, std::to_string(i), "new"},
                                  {second, "a", "new"}}));
  }}.join();
  EXPECT_EQ(value_of(*view, first, "a"), "old");
  EXPECT_EQ(view->count(first), 1u);
  EXPECT_EQ(value_of(*view, second, "a"), std::nullopt);
  EXPECT_EQ(view->failure(), std::nullopt);
  view.reset();
  EXPECT_EQ(value_of(**state->reader(), second, "a"), "new");
}

TEST_F(StateStore, ReadersBeginAndEndOnOtherThreadsMeanwhile) {
  auto state = open();
  ASSERT_TRUE(commit(*state, {{first, "a", "0"}, {second, "a", "0"}}));
  std::thread reading{[&] {
    for (int i = 0; i < 500; ++i) {
      auto view = *state->reader();
      const auto a = value_of(*view, first, "a");
      ASSERT_TRUE(a.has_value());
      EXPECT_EQ(a, value_of(*view, second, "a"));
    }
  }};
  for (int i = 1; i < 500; ++i) {
    const auto value = std::to_string(i);
    const column_family created{static_cast<std::uint16_t>(20 + i % 90)};
    ASSERT_TRUE(commit(
      *state, {{first, "a", value}, {second, "a", value}, {created, "a", ""}}));
  }
  reading.join();
}

TEST_F(StateStore, RefusesToWriteIfOpenedForReading) {
  open();
  auto state = open({.access = state_access::read_only});
  const auto begun = state->begin();
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, errc::invalid_state);
}

TEST_F(StateStore, IsNotFoundIfThereIsNothingToRead) {
  for (auto access : {state_access::read_only, state_access::sealed_copy}) {
    const auto opened = state_store::open(where(), {.access = access});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, errc::not_found);
  }
}

TEST_F(StateStore, CopiesWithoutUnusedPages) {
  auto state = open();
  ASSERT_TRUE(commit(*state, {{first, "a", "1"}}));
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(commit(*state, {{second, "a", bytes(100'000, 'x')}}));
  ASSERT_TRUE(commit(*state, {{second, "a", "2"}}));
  const auto target = directory.get() / "copy";
  std::filesystem::create_directory(target);
  ASSERT_TRUE(state->copy_to(target / state_file_name));
  EXPECT_LT(std::filesystem::file_size(target / state_file_name), 100'000u);
  EXPECT_FALSE(state->copy_to(target / state_file_name));
  auto copied
    = *state_store::open(target, {.access = state_access::sealed_copy});
  EXPECT_EQ(test::text_of(*copied), test::text_of(*state));
  EXPECT_FALSE(std::filesystem::exists(target / "lock.mdb"));
}

// The main property: whatever is put, erased, committed and aborted, the store
// holds what an ordered map would.
TEST_F(StateStore, BehavesLikeOrderedMaps) {
  using model = std::map<std::pair<std::uint16_t, bytes>, bytes>;
  std::mt19937_64 random{42};
  auto state = open();
  model kept;
  for (int batch = 0; batch < 400; ++batch) {
    auto now = kept;
    auto txn = *state->begin();
    const auto count = random() % 60;
    for (std::uint64_t i = 0; i < count; ++i) {
      const column_family family{static_cast<std::uint16_t>(1 + random() % 3)};
      // Ascending in one column family, anywhere in the others.
      const auto number = family.id == 1 ? batch * 100 + i : random() % 500;
      const bytes key = std::to_string(1'000'000 + number);
      const auto known = now.find({family.id, key});
      ASSERT_EQ(value_of(*txn, family, key), known == now.end()
                                               ? std::nullopt
                                               : std::optional{known->second});
      // A phase that mostly erases makes pages merge and trees shrink.
      if (random() % 10 < (batch / 50 % 2 == 0 ? 2u : 8u)) {
        ASSERT_EQ(txn->erase(family, key), known != now.end());
        now.erase({family.id, key});
      } else {
        const bytes value(random() % 700, static_cast<char>(random()));
        txn->put(family, key, value);
        now[{family.id, key}] = value;
      }
    }
    if (random() % 4 == 0) {
      txn->abort();
      continue;
    }
    ASSERT_TRUE(txn->commit());
    kept = std::move(now);
    model found;
    ASSERT_TRUE(
      visit_content(**state->reader(), [&](column_family family, bytes_view key,
                                           bytes_view value) {
        found.emplace(std::pair{family.id, bytes{key}}, value);
        return true;
      }));
    ASSERT_EQ(found, kept) << "batch " << batch;
  }
}

} // namespace gnomon::storage
