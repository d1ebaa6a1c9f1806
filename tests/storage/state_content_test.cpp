#include "storage/ports/bookkeeping.hpp"
#include "storage/state_content.hpp"
#include "storage/state_store.hpp"
#include "tests/storage/state_fixture.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

constexpr column_family first{10};
constexpr column_family second{11};

class StateContent : public testing::Test {
protected:
  std::unique_ptr<state_store> store(const std::string& name,
                                     const std::vector<test::put>& entries) {
    auto state = *state_store::open(directory.get() / name);
    EXPECT_TRUE(test::commit(*state, entries));
    return state;
  }

  static std::uint64_t hash(state_store& state) {
    const auto view = *state.reader();
    return *content_hash(*view);
  }

  std::uint64_t hash_of(const std::vector<test::put>& entries) {
    const auto state = store(std::to_string(++stores), entries);
    return hash(*state);
  }

  test::temp_directory directory;
  int stores = 0;
};

} // namespace

TEST_F(StateContent, HasTheSameHashHoweverItCameAbout) {
  auto straight = store("a", {{first, "k", "1"}, {first, "l", "2"}});
  auto winding = store("b", {{second, "gone", "x"}, {first, "l", "0"}});
  auto txn = *winding->begin();
  txn->put(first, "k", "1");
  txn->put(first, "l", "2");
  EXPECT_TRUE(txn->erase(second, "gone"));
  ASSERT_TRUE(txn->commit());
  EXPECT_EQ(hash(*straight), hash(*winding));
  EXPECT_EQ(test::text_of(*straight), test::text_of(*winding));
}

TEST_F(StateContent, HasAnotherHashForAnyDifference) {
  const std::vector<std::vector<test::put>> states{
    {},
    {{first, "k", ""}},
    {{first, "k", "v"}},
    {{second, "k", "v"}},
    {{first, "kv", ""}},
    {{first, "k", "v"}, {first, "l", ""}},
    {{first, "k", "vl"}},
    {{first, "k", ""}, {second, "k", ""}},
  };
  std::vector<std::uint64_t> hashes;
  for (const auto& one : states)
    hashes.push_back(hash_of(one));
  for (std::size_t i = 0; i < hashes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(hashes[i], hashes[j]) << i << " and " << j;
}

TEST_F(StateContent, IsTextOneEntryALine) {
  auto state
    = store("a", {{second, bytes("\0\xFF", 2), "1"}, {first, "k", ""}});
  EXPECT_EQ(test::text_of(*state), "10 6b = \n11 00ff = 31\n");
}

TEST_F(StateContent, StopsVisitingWhenToldSo) {
  auto state
    = store("a", {{first, "k", ""}, {first, "l", ""}, {second, "k", ""}});
  const auto view = *state->reader();
  int count = 0;
  ASSERT_TRUE(visit_content(
    *view, [&](column_family, bytes_view, bytes_view) { return ++count < 2; }));
  EXPECT_EQ(count, 2);
}

// -- bookkeeping --------------------------------------------------------------

TEST_F(StateContent, HasNoBookkeepingBeforeAnythingIsApplied) {
  auto state = store("a", {});
  const auto view = *state->reader();
  EXPECT_EQ(*bookkeeping::load(*view), std::nullopt);
}

// The example of docs/formats/state.md.
TEST_F(StateContent, HasBookkeepingOfTheseBytes) {
  auto state = store("a", {});
  const state_bookkeeping standing{{300}, {0xC0FFEE}, {298}, 17, {-1}};
  auto txn = *state->begin();
  bookkeeping::store(*txn, standing);
  EXPECT_EQ(**bookkeeping::load(*txn), standing);
  ASSERT_TRUE(txn->commit());
  EXPECT_EQ(test::text_of(*state),
            "1 0001 = 2c01000000000000eeffc000000000002a01000000000000"
            "1100000000000000ffffffffffffffff\n");
}

TEST_F(StateContent, RefusesMalformedBookkeeping) {
  const bytes key{bookkeeping::entry_key};
  for (std::size_t size : {0, 39, 41}) {
    auto state = store(std::to_string(size),
                       {{bookkeeping_family, key, bytes(size, 'x')}});
    const auto view = *state->reader();
    EXPECT_EQ(bookkeeping::load(*view).error().code, errc::corrupted);
  }
}

} // namespace gnomon::storage
