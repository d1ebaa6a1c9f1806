#include "engine/bans.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::test;

namespace {

bool is_banned(memory_state& state, key scope) {
  auto reading = state.begin();
  return engine::bans::contains(**reading, scope);
}

// A partition whose probe asks for a ban whenever a command fails.
class Ban : public testing::Test {
protected:
  Ban() {
    partition.probe.answer = processing_error::ban_instance;
  }

  engine_under_test partition;
};

} // namespace

TEST_F(Ban, SetsTheInstanceAsideByAnEvent) {
  ASSERT_TRUE(partition.propose(probe_command("throw", 7, 50)));
  partition.run();
  const auto all = partition.log.records();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].record_type, record_type::command_rejection);
  EXPECT_EQ(all[2].record_type, record_type::event);
  EXPECT_EQ(all[2].value_type, value_type::error);
  EXPECT_EQ(all[2].scope_key, key{50});
  EXPECT_TRUE(is_banned(partition.state, {50}));
}

TEST_F(Ban, RejectsLaterCommandsOfTheInstanceOnly) {
  ASSERT_TRUE(partition.propose(probe_command("throw", 7, 50)));
  ASSERT_TRUE(partition.ask(probe_command("a", 7, 50), 1));
  ASSERT_TRUE(partition.ask(probe_command("a", 7, 51), 2));
  ASSERT_TRUE(partition.ask(probe_command("a", 7), 3));
  partition.run();
  EXPECT_EQ(partition.answer_to(1).rejection_type,
            rejection_type::invalid_state);
  EXPECT_EQ(partition.answer_to(2).record_type, record_type::event);
  EXPECT_EQ(partition.answer_to(3).record_type, record_type::event);
}

TEST_F(Ban, HoldsForFollowUpsInTheSameFrame) {
  ASSERT_TRUE(partition.propose(probe_command("follow follow throw", 7, 50)));
  ASSERT_TRUE(partition.propose(probe_command("follow a", 7, 51)));
  partition.run();
  EXPECT_TRUE(is_banned(partition.state, {50}));
  EXPECT_FALSE(is_banned(partition.state, {51}));
}

TEST_F(Ban, IsNotForCommandsOfClients) {
  ASSERT_TRUE(partition.ask(probe_command("throw", 7, 50), 1));
  partition.run();
  EXPECT_EQ(partition.answer_to(1).rejection_type,
            rejection_type::processing_failed);
  EXPECT_FALSE(is_banned(partition.state, {50}));
}

TEST_F(Ban, IsNotForCommandsWithoutScope) {
  ASSERT_TRUE(partition.propose(probe_command("throw")));
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1");
  EXPECT_FALSE(is_banned(partition.state, {0}));
}

TEST_F(Ban, IsReplayed) {
  ASSERT_TRUE(partition.propose(probe_command("throw", 7, 50)));
  partition.run();
  partition.stop_and_forget();
  EXPECT_FALSE(is_banned(partition.state, {50}));
  partition.start();
  EXPECT_TRUE(is_banned(partition.state, {50}));
  ASSERT_TRUE(partition.ask(probe_command("a", 7, 50), 1));
  partition.run();
  EXPECT_EQ(partition.answer_to(1).rejection_type,
            rejection_type::invalid_state);
}
