// Random commands against the promises of the engine.

#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace gnomon;
using namespace gnomon::test;
using engine::batch_status;
using engine::command_origin;
using engine::pending_command;

namespace {

using random_source = std::mt19937_64;

std::size_t below(random_source& random, std::size_t bound) {
  return random() % bound;
}

key random_account(random_source& random) {
  return key::make(owner, 1 + below(random, 6));
}

record random_command(random_source& random) {
  static constexpr std::array words{"throw",
                                    "throw_late",
                                    "silent",
                                    "reject",
                                    "follow follow throw_late",
                                    "key",
                                    "deliver x",
                                    "broken",
                                    "unknown_event",
                                    "bytes 9000",
                                    "follow_only"};
  const auto cents = static_cast<std::int64_t>(below(random, 100));
  switch (below(random, 8)) {
  case 0:
    return account_command(bank::ACCOUNT_INTENT_OPEN);
  case 1:
  case 2:
    return account_command(bank::ACCOUNT_INTENT_DEPOSIT, random_account(random),
                           cents);
  case 3:
    return account_command(bank::ACCOUNT_INTENT_WITHDRAW,
                           random_account(random), cents);
  case 4:
  case 5:
  case 6:
    return transfer_command(random_account(random), random_account(random),
                            cents);
  default:
    return probe_command(words[below(random, words.size())], below(random, 3),
                         below(random, 3));
  }
}

// A script: the same seed gives the same commands.
std::vector<pending_command> random_script(std::uint64_t seed,
                                           std::size_t count) {
  random_source random{seed};
  std::vector<pending_command> script;
  for (std::size_t i = 0; i < count; ++i) {
    pending_command next{random_command(random), i + 1};
    if (below(random, 4) == 0)
      next.command.idempotency_key = std::to_string(below(random, 8));
    if (below(random, 4) == 0)
      next.origin = command_origin::proposal;
    script.push_back(std::move(next));
  }
  return script;
}

engine::engine_options limited(std::size_t commands) {
  return {.commands_per_batch_max = commands, .batch_bytes_max = 8'192};
}

void set_up(engine_under_test& partition) {
  partition.probe.answer = processing_error::ban_instance;
  partition.probe.reports_failures = true;
  partition.live->open_epoch(1, partition.now);
}

// Runs the script, offering a random number of commands at a time.
void play(engine_under_test& partition,
          const std::vector<pending_command>& script, std::uint64_t seed) {
  random_source random{seed};
  for (std::size_t i = 0; i < script.size();) {
    for (auto group = 1 + below(random, 20); group > 0 && i < script.size();
         --group)
      ASSERT_TRUE(partition.queue.offer(script[i++]));
    for (auto batches = below(random, 3); batches > 0; --batches)
      partition.batch();
  }
  ASSERT_EQ(partition.run().status, batch_status::processed);
}

// What may not depend on how commands fell into frames.
void expect_same(const engine_under_test& left,
                 const engine_under_test& right) {
  ASSERT_EQ(left.log.records(), right.log.records());
  EXPECT_EQ(left.state.dump_without_bookkeeping(),
            right.state.dump_without_bookkeeping());
  auto left_book = left.live->bookkeeping();
  auto right_book = right.live->bookkeeping();
  left_book.chain = right_book.chain = {};
  EXPECT_EQ(left_book, right_book);
  ASSERT_EQ(left.replies().size(), right.replies().size());
  for (std::size_t i = 0; i < left.replies().size(); ++i) {
    EXPECT_EQ(left.replies()[i].request, right.replies()[i].request);
    EXPECT_EQ(left.replies()[i].answer, right.replies()[i].answer);
  }
}

class Property : public testing::TestWithParam<std::uint64_t> {};

} // namespace

TEST_P(Property, ReplayOfEveryPrefixEqualsTheStateOfThen) {
  engine_under_test partition{limited(1 + GetParam() % 5)};
  set_up(partition);
  std::vector<memory_state::content> then{partition.state.dump()};
  for (const auto& next : random_script(GetParam(), 60)) {
    ASSERT_TRUE(partition.queue.offer(next));
    while (!partition.queue.empty() || partition.live->outstanding_count()) {
      partition.batch();
      if (then.size() < partition.log.frames().size())
        then.push_back(partition.state.dump());
    }
  }
  ASSERT_EQ(then.size(), partition.log.frames().size());
  for (std::size_t i = 0; i < then.size(); ++i)
    ASSERT_EQ(replay_prefix(partition.map, partition.log, i + 1).state.dump(),
              then[i])
      << "after frame " << i;
}

TEST_P(Property, RestartAfterEveryBatchChangesNothing) {
  const auto script = random_script(GetParam(), 60);
  engine_under_test steady{limited(1)};
  engine_under_test restarted{limited(1)};
  set_up(steady);
  set_up(restarted);
  play(steady, script, GetParam());
  for (const auto& next : script) {
    ASSERT_TRUE(restarted.queue.offer(next));
    while (!restarted.queue.empty() || restarted.live->outstanding_count()) {
      restarted.batch();
      if (restarted.log.frames().size() % 2)
        restarted.stop_and_forget();
      restarted.start();
    }
  }
  expect_same(steady, restarted);
  EXPECT_EQ(steady.state.dump(), restarted.state.dump());
}

TEST_P(Property, BatchLimitsChangeOnlyTheFrames) {
  const auto script = random_script(GetParam(), 200);
  engine_under_test one{limited(1)};
  set_up(one);
  play(one, script, GetParam());
  for (std::size_t limit : {2, 3, 7, 100}) {
    engine_under_test many{limited(limit)};
    set_up(many);
    play(many, script, GetParam() + limit);
    expect_same(one, many);
    ASSERT_EQ(
      replay_prefix(many.map, many.log, many.log.frames().size()).state.dump(),
      many.state.dump());
  }
}

TEST_P(Property, FailuresThatPassChangeOnlyTheFrames) {
  const auto script = random_script(GetParam(), 100);
  engine_under_test calm{limited(10)};
  auto patient = limited(10);
  patient.attempts_max = 1'000;
  engine_under_test troubled{patient};
  set_up(calm);
  set_up(troubled);
  play(calm, script, GetParam());
  random_source random{GetParam()};
  for (const auto& next : script)
    ASSERT_TRUE(troubled.queue.offer(next));
  const error full{errc::out_of_space, "full"};
  for (auto more = true; more;) {
    switch (below(random, 4)) {
    case 0:
      troubled.log.write_faults = {full};
      break;
    case 1:
      troubled.state.write_fault = {full, 1, below(random, 20)};
      break;
    case 2:
      troubled.state.begin_fault = {full};
      break;
    default:
      troubled.log.write_faults.clear();
    }
    const auto done = troubled.batch();
    ASSERT_NE(done.status, batch_status::poisoned);
    more = done.more_work;
  }
  expect_same(calm, troubled);
}

TEST_P(Property, MoneyIsNeitherMadeNorLost) {
  engine_under_test partition{limited(7)};
  set_up(partition);
  play(partition, random_script(GetParam(), 300), GetParam());
  std::int64_t expected = 0;
  for (const auto& each : partition.log.records()) {
    bank::Amount amount;
    if (each.record_type != record_type::event
        || each.value_type != bank::account_type)
      continue;
    ASSERT_TRUE(typed_record{each}.parse(amount));
    expected += each.intent.value == bank::ACCOUNT_INTENT_DEPOSITED
                  ? amount.cents()
                  : -amount.cents();
  }
  std::int64_t total = 0;
  auto reading = partition.state.begin();
  for (std::uint64_t i = 1; i < 100; ++i) {
    const auto found
      = bank::balance(**reading, key::make(owner, i)).value_or(0);
    EXPECT_GE(found, 0);
    total += found;
  }
  EXPECT_EQ(total, expected);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Property,
                         testing::Range(std::uint64_t{1}, std::uint64_t{21}));
