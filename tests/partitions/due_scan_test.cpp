#include "tests/partitions/driven_partition.hpp"
#include "tests/support/memory_state.hpp"

#include "partitions/due_scan.hpp"
#include <chrono>

using namespace gnomon;
using namespace std::chrono_literals;

using gnomon::partitions::due_scan;

namespace {

constexpr auto stubborn = user_value_type(7);
constexpr intent begin{1};
constexpr intent begun{2};
constexpr intent finish{3};

/// Its BEGIN puts an entry into the index whose FINISH it always rejects.
class stubborn_processor : public record_processor {
public:
  explicit stubborn_processor(int& finish_count) : finish_count_(finish_count) {
    // nop
  }

  bool accepts(value_type type, intent what, record_type kind) const override {
    return type == stubborn
           && (kind == record_type::event ? what == begun
                                          : what == begin || what == finish);
  }

  void process(const typed_record& command, result_builder& out) override {
    if (command.intent == begin) {
      out.append_event(out.next_key(), stubborn, begun, {});
      return;
    }
    ++finish_count_;
    out.reject(rejection_type::invalid_state, "expected another day");
  }

  void replay(const typed_record& event, state_transaction& state) override {
    due_index::add(state, {event.timestamp, stubborn, finish, event.key});
  }

  processing_error on_processing_error(const error&, const typed_record&,
                                       result_builder&) override {
    return processing_error::reject;
  }

private:
  int& finish_count_;
};

class DueScan : public ::testing::Test {
protected:
  void add(timestamp due, std::uint64_t about) {
    auto state = *states.begin();
    due_index::add(*state, {due, stubborn, finish, {about}});
    ASSERT_TRUE(state->commit());
  }

  std::vector<record> propose(due_scan& scan, timestamp now,
                              std::size_t count_max = 10) {
    auto state = *states.begin();
    return scan.propose(*state, now, count_max);
  }

  std::optional<timestamp> next(due_scan& scan, timestamp now) {
    auto state = *states.begin();
    return scan.next(*state, now);
  }

  test::memory_state states;
};

class StubbornCommand : public test::PartitionTest {
protected:
  void begin_one() {
    partition.close();
    partition.options.processors = [this] {
      std::vector<std::unique_ptr<record_processor>> result;
      result.push_back(std::make_unique<stubborn_processor>(finish_count));
      return result;
    };
    partition.open();
    v1::Command command;
    command.set_value_type(static_cast<std::uint32_t>(stubborn));
    command.set_intent(begin.value);
    partition.submit(command);
    partition.run();
  }

  int finish_count = 0;
};

} // namespace

TEST_F(DueScan, ProposesWhatIsDueAndNothingBefore) {
  add({1'000}, 1);
  due_scan scan{100ms};
  scan.begin();
  EXPECT_TRUE(propose(scan, {999}).empty());
  EXPECT_FALSE(scan.active());
  EXPECT_EQ(next(scan, {999}), timestamp{1'099});
  scan.begin();
  const auto proposed = propose(scan, {1'000});
  ASSERT_EQ(proposed.size(), 1u);
  EXPECT_EQ(proposed[0].key, key{1});
  EXPECT_EQ(proposed[0].intent, finish);
  EXPECT_TRUE(scan.active());
}

TEST_F(DueScan, ProposesAtMostAsManyAsItMay) {
  for (std::uint64_t i = 1; i <= 3; ++i)
    add({1'000}, i);
  due_scan scan{100ms};
  scan.begin();
  EXPECT_EQ(propose(scan, {1'000}, 2).size(), 2u);
  EXPECT_TRUE(scan.active());
}

TEST_F(DueScan, PutsOffWhatIsStillThereAfterItsProposal) {
  add({1'000}, 1);
  due_scan scan{100ms};
  scan.begin();
  EXPECT_EQ(propose(scan, {1'000}).size(), 1u);
  EXPECT_TRUE(propose(scan, {1'000}).empty());
  EXPECT_FALSE(scan.active());
  EXPECT_EQ(next(scan, {1'000}), timestamp{1'100});
  scan.begin();
  EXPECT_TRUE(propose(scan, {1'099}).empty());
  scan.begin();
  EXPECT_EQ(propose(scan, {1'100}).size(), 1u);
}

TEST_F(StubbornCommand, IsTriedAgainWithAGrowingDelayInsteadOfSpinning) {
  begin_one();
  EXPECT_EQ(finish_count, 1);
  partition.run();
  EXPECT_EQ(finish_count, 1);
  auto waited = partition.options.resolution;
  for (int tries = 2; tries < 6; ++tries) {
    ASSERT_EQ(partition.core().next_due(), clock.wall() + waited);
    clock.advance(waited - 1ms);
    partition.run();
    EXPECT_EQ(finish_count, tries - 1);
    clock.advance(1ms);
    partition.run();
    EXPECT_EQ(finish_count, tries);
    waited *= 2;
  }
}
