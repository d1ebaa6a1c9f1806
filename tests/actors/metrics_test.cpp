#include "gnomon/record.hpp"
#include "gnomon/v1/timer.pb.h"
#include "tests/actors/actor_fixture.hpp"

#include <numeric>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

class Metrics : public actor_fixture {
protected:
  v1::Metrics metrics() {
    v1::Query question;
    question.mutable_metrics();
    return ask_query(question).metrics();
  }

  void create(duration after, const std::string& name = {}) {
    submit_one(to_command(create_timer{.when = after, .name = name}));
  }

  static std::uint64_t count(const v1::Metrics& in, record_type how, int what) {
    for (const auto& one : in.records())
      if (one.record_type() == static_cast<std::uint32_t>(how)
          && one.value_type() == static_cast<std::uint32_t>(value_type::timer)
          && one.intent() == static_cast<std::uint32_t>(what))
        return one.count();
    return 0;
  }

  static std::uint64_t total(const v1::Histogram& of) {
    return std::accumulate(of.counts().begin(), of.counts().end(),
                           std::uint64_t{0});
  }
};

} // namespace

TEST_F(Metrics, CountRecordsByKind) {
  open();
  create(1h, "a");
  create(2h);
  create(3h, "a");
  const auto now = metrics();
  EXPECT_EQ(count(now, record_type::command, v1::TIMER_INTENT_CREATE), 3u);
  EXPECT_EQ(count(now, record_type::event, v1::TIMER_INTENT_CREATED), 2u);
  EXPECT_EQ(count(now, record_type::command_rejection, v1::TIMER_INTENT_CREATE),
            1u);
  EXPECT_EQ(now.timers_waiting(), 2u);
}

TEST_F(Metrics, ObserveBatchesSyncsAndAnswers) {
  open();
  create(1h);
  create(2h);
  const auto now = metrics();
  EXPECT_EQ(total(now.batch_commands()), 2u);
  EXPECT_EQ(now.batch_commands().sum(), 2u);
  EXPECT_EQ(total(now.processing_us()), 2u);
  EXPECT_EQ(total(now.sync_us()), 2u);
  EXPECT_EQ(total(now.acknowledgement_us()), 2u);
}

TEST_F(Metrics, TellHowLateTimersAre) {
  open();
  create(1h);
  advance(1h);
  const auto now = metrics();
  EXPECT_EQ(total(now.lateness_ms()), 1u);
  EXPECT_EQ(now.lateness_ms().counts(0), 1u);
  EXPECT_EQ(now.overdue(), 0u);
}

TEST_F(Metrics, TellWhatIsOverdueWhilePaused) {
  open();
  create(1h);
  create(1h);
  ASSERT_TRUE(control_with(v1::CONTROL_OPERATION_PAUSE));
  advance(1h + 5s);
  const auto now = metrics();
  EXPECT_EQ(now.overdue(), 2u);
  EXPECT_EQ(now.oldest_overdue_ms(), 5'000);
}

TEST_F(Metrics, TellHowLongTheReplayTook) {
  time.advance_with_each_reading(7us);
  open();
  EXPECT_GE(metrics().replay_us(), 7u);
}

TEST_F(Metrics, CountNothingWhenSwitchedOff) {
  options.metrics = false;
  open();
  create(1h);
  const auto now = metrics();
  EXPECT_EQ(now.records_size(), 0);
  EXPECT_EQ(total(now.processing_us()), 0u);
  EXPECT_EQ(now.timers_waiting(), 1u);
}

} // namespace gnomon
