#include "engine/command_queue.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::test;

namespace {

errc code_of(const result<void>& offered) {
  return offered ? errc::none : offered.error().code;
}

} // namespace

TEST(CommandQueue, RefusesClientsOnceTooManyAreInFlight) {
  engine_under_test partition{{.in_flight_max = 2}};
  EXPECT_TRUE(partition.ask(probe_command("a"), 1));
  EXPECT_TRUE(partition.ask(probe_command("a"), 2));
  EXPECT_EQ(code_of(partition.ask(probe_command("a"), 3)),
            errc::resource_exhausted);
  EXPECT_EQ(partition.queue.size(), 2u);
}

TEST(CommandQueue, TakesProposalsAlways) {
  engine_under_test partition{{.in_flight_max = 1}};
  EXPECT_TRUE(partition.ask(probe_command("a"), 1));
  EXPECT_TRUE(partition.propose(probe_command("a")));
  EXPECT_EQ(partition.queue.in_flight(), 1u);
}

TEST(CommandQueue, CountsACommandAsInFlightUntilItIsAcknowledged) {
  engine_under_test partition{{.in_flight_max = 1}};
  ASSERT_TRUE(partition.ask(probe_command("a"), 1));
  partition.run();
  EXPECT_EQ(partition.queue.in_flight(), 1u);
  EXPECT_EQ(code_of(partition.ask(probe_command("a"), 2)),
            errc::resource_exhausted);
  partition.queue.acknowledge();
  EXPECT_EQ(partition.queue.in_flight(), 0u);
  EXPECT_TRUE(partition.ask(probe_command("a"), 3));
}

TEST(CommandQueue, LetsGoOfACommandThatNobodyWaitsFor) {
  engine_under_test partition{{.in_flight_max = 1}};
  ASSERT_TRUE(partition.ask(probe_command("a"), 0));
  partition.run();
  EXPECT_EQ(partition.queue.in_flight(), 0u);
}

TEST(CommandQueue, RefusesWhatNobodyDecides) {
  engine_under_test partition;
  auto command = probe_command("a");
  command.intent = probe_ran;
  EXPECT_EQ(code_of(partition.ask(command)), errc::invalid_argument);
  command.intent = {64};
  EXPECT_EQ(code_of(partition.ask(command)), errc::invalid_argument);
  command = probe_command("a");
  command.value_type = static_cast<value_type>(65'535);
  EXPECT_EQ(code_of(partition.ask(command)), errc::invalid_argument);
  command = probe_command("a");
  command.record_type = record_type::event;
  EXPECT_EQ(code_of(partition.ask(command)), errc::invalid_argument);
  EXPECT_TRUE(partition.queue.empty());
  EXPECT_EQ(partition.queue.in_flight(), 0u);
}

TEST(CommandQueue, BoundsTheIdempotencyKey) {
  engine_under_test partition;
  EXPECT_TRUE(
    partition.ask(with_key(probe_command("a"), std::string(255, 'k'))));
  EXPECT_EQ(
    code_of(partition.ask(with_key(probe_command("a"), std::string(256, 'k')))),
    errc::invalid_argument);
}

TEST(CommandQueue, BoundsTheCommandSoThatItsRejectionFitsTheFrame) {
  engine_under_test partition{{.batch_bytes_max = 8'192}};
  const auto sized = [](std::size_t bytes_of_value) {
    return probe_command("throw " + std::string(bytes_of_value - 6, 'x'));
  };
  ASSERT_TRUE(partition.ask(sized(4'040)));
  EXPECT_EQ(code_of(partition.ask(sized(4'041))), errc::exceeded_batch_size);
  partition.run();
  EXPECT_EQ(partition.shape(), "C1 R1<1");
}
