#include "tests/timers/recurrence/vectors.hpp"
#include "timers/catch_up.hpp"

using namespace gnomon;
using namespace gnomon::test;
using namespace gnomon::timers;

namespace {

/// Every minute, the first one a minute past midnight.
const auto anchor = "2024-01-01T00:00:00Z";

occurrence minute(std::uint64_t number) {
  return {number, at(anchor) + duration{60'000 * number}};
}

/// Decides about the first minute at `now`.
catch_up_decision decide(catch_up_policy policy, timestamp now,
                         std::uint32_t caught_up = 0,
                         const catch_up_options& options = {}) {
  return decide_catch_up(parsed("R/PT1M", anchor), minute(1), now, policy,
                         options, caught_up);
}

timestamp ms_before(const occurrence& what) {
  return {what.due.value - 1};
}

constexpr auto all_policies
  = {catch_up_policy::every, catch_up_policy::latest, catch_up_policy::skip};

} // namespace

TEST(CatchUp, TriggersWhatIsDueNow) {
  for (const auto policy : all_policies) {
    const auto decided = decide(policy, minute(1).due, 7);
    EXPECT_EQ(decided,
              (catch_up_decision{.triggered = minute(1), .next = minute(2)}));
  }
}

TEST(CatchUp, TakesAnOccurrenceForMissedOnceTheNextOneIsDue) {
  const auto before = ms_before(minute(2));
  EXPECT_EQ(decide(catch_up_policy::every, before).caught_up, 0u);
  EXPECT_EQ(decide(catch_up_policy::every, minute(2).due).caught_up, 1u);
  EXPECT_FALSE(decide(catch_up_policy::latest, before).skipped);
  EXPECT_EQ(decide(catch_up_policy::latest, minute(2).due).triggered,
            minute(2));
  EXPECT_FALSE(decide(catch_up_policy::skip, before).skipped);
  EXPECT_EQ(decide(catch_up_policy::skip, minute(2).due).skipped,
            (skipped_occurrences{1, 1}));
}

TEST(CatchUp, TakesAnOccurrenceForMissedBehindTheGrace) {
  const auto rule = parsed("R/PT1H", anchor);
  const auto first = *rule.first();
  const auto edge = first.due + std::chrono::seconds{60};
  const auto behind = edge + duration{1};
  const auto in_time
    = decide_catch_up(rule, first, edge, catch_up_policy::skip, {}, 0);
  EXPECT_EQ(in_time.triggered, first);
  const auto late
    = decide_catch_up(rule, first, behind, catch_up_policy::skip, {}, 0);
  EXPECT_FALSE(late.triggered);
  EXPECT_EQ(late.skipped, (skipped_occurrences{1, 1}));
  EXPECT_EQ(late.next, rule.next(first));
  const auto every
    = decide_catch_up(rule, first, behind, catch_up_policy::every, {}, 4);
  EXPECT_EQ(every.triggered, first);
  EXPECT_EQ(every.caught_up, 5u);
}

TEST(CatchUpEvery, TriggersMissedOnesOneByOneOldestFirst) {
  const auto decided = decide(catch_up_policy::every, minute(5).due, 2);
  EXPECT_EQ(decided,
            (catch_up_decision{
              .triggered = minute(1), .next = minute(2), .caught_up = 3}));
}

TEST(CatchUpEvery, SkipsUpToTheNewestOnceTheLimitIsReached) {
  const auto now = minute(200).due;
  const auto last = decide(catch_up_policy::every, now, 99);
  EXPECT_EQ(last.triggered, minute(1));
  EXPECT_EQ(last.caught_up, 100u);
  const auto over = decide(catch_up_policy::every, now, 100);
  EXPECT_EQ(over, (catch_up_decision{.skipped = skipped_occurrences{1, 199},
                                     .triggered = minute(200),
                                     .next = minute(201)}));
}

TEST(CatchUpEvery, GoesThroughAnOutageAsPromised) {
  const auto rule = parsed("R/PT1M", anchor);
  const auto now = minute(250).due;
  std::uint32_t caught_up = 0;
  std::uint64_t triggered = 0;
  std::uint64_t skipped = 0;
  auto pending = rule.first();
  while (pending && pending->due <= now) {
    const auto decided = decide_catch_up(rule, *pending, now,
                                         catch_up_policy::every, {}, caught_up);
    triggered += decided.triggered ? 1 : 0;
    skipped += decided.skipped ? decided.skipped->count : 0;
    caught_up = decided.caught_up;
    pending = decided.next;
  }
  EXPECT_EQ(triggered, 101u);
  EXPECT_EQ(skipped, 149u);
  EXPECT_EQ(caught_up, 0u);
  EXPECT_EQ(pending, minute(251));
}

TEST(CatchUpEvery, KeepsCountingWhileTheNewestIsMissedToo) {
  const auto rule = parsed("R/PT1H", anchor);
  const auto now = at("2024-01-01T05:30:00Z");
  const auto decided = decide_catch_up(rule, *rule.first(), now,
                                       catch_up_policy::every, {}, 100);
  EXPECT_EQ(decided.skipped, (skipped_occurrences{1, 4}));
  EXPECT_EQ(decided.triggered, (occurrence{5, at("2024-01-01T05:00:00Z")}));
  EXPECT_EQ(decided.caught_up, 101u);
}

TEST(CatchUpEvery, MaySkipAllButTheNewestWithALimitOfZero) {
  const auto decided
    = decide(catch_up_policy::every, minute(3).due, 0, {.catch_up_max = 0});
  EXPECT_EQ(decided.skipped, (skipped_occurrences{1, 2}));
  EXPECT_EQ(decided.triggered, minute(3));
}

TEST(CatchUpLatest, SkipsAllButTheNewest) {
  const auto decided = decide(catch_up_policy::latest, minute(5).due);
  EXPECT_EQ(decided, (catch_up_decision{.skipped = skipped_occurrences{1, 4},
                                        .triggered = minute(5),
                                        .next = minute(6)}));
}

TEST(CatchUpLatest, TriggersTheNewestHoweverLate) {
  const auto rule = parsed("R/P1D", anchor);
  const auto now = at("2024-01-03T23:00:00Z");
  const auto decided
    = decide_catch_up(rule, *rule.first(), now, catch_up_policy::latest, {}, 0);
  EXPECT_EQ(decided.triggered, (occurrence{2, at("2024-01-03T00:00:00Z")}));
}

TEST(CatchUpSkip, TriggersTheNewestWithinItsGrace) {
  const auto decided = decide(catch_up_policy::skip, minute(5).due);
  EXPECT_EQ(decided, (catch_up_decision{.skipped = skipped_occurrences{1, 4},
                                        .triggered = minute(5),
                                        .next = minute(6)}));
}

TEST(CatchUpSkip, SkipsTheNewestBehindItsGrace) {
  const auto now = minute(5).due + std::chrono::seconds{31};
  const auto decided = decide(catch_up_policy::skip, now, 0,
                              {.catch_up_grace = std::chrono::seconds{30}});
  EXPECT_EQ(decided, (catch_up_decision{.skipped = skipped_occurrences{1, 5},
                                        .next = minute(6)}));
}

TEST(CatchUp, AlwaysTriggersWhatDoesNotRepeat) {
  const auto rule = parsed("PT1H", anchor);
  for (const auto policy : all_policies) {
    const auto decided = decide_catch_up(
      rule, *rule.first(), at("2034-01-01T00:00:00Z"), policy, {}, 1000);
    EXPECT_EQ(decided, (catch_up_decision{.triggered = rule.first()}));
  }
}

TEST(CatchUp, EndsWithTheLastOccurrence) {
  const auto rule = parsed("R3/PT1M", anchor);
  const auto now = minute(9).due;
  const auto latest
    = decide_catch_up(rule, minute(1), now, catch_up_policy::latest, {}, 0);
  EXPECT_EQ(latest.triggered, minute(3));
  EXPECT_FALSE(latest.next);
  const auto skip
    = decide_catch_up(rule, minute(1), now, catch_up_policy::skip, {}, 0);
  EXPECT_EQ(skip, (catch_up_decision{.skipped = skipped_occurrences{1, 3}}));
}

TEST(CatchUp, TakesRepeatsWithoutAPeriodForMissed) {
  const auto rule = parsed("R3/PT0S", anchor);
  const auto first = *rule.first();
  const auto every
    = decide_catch_up(rule, first, first.due, catch_up_policy::every, {}, 0);
  EXPECT_EQ(every.next, (occurrence{2, first.due}));
  const auto latest
    = decide_catch_up(rule, first, first.due, catch_up_policy::latest, {}, 0);
  EXPECT_EQ(latest.triggered, (occurrence{3, first.due}));
}

TEST(CatchUp, PassesTenYearsOfSecondsInOneDecision) {
  const auto rule = parsed("* * * * * *", anchor, "Europe/Berlin");
  const auto now = at("2034-01-01T00:00:00.500Z");
  const auto newest = 3653ull * 86'400;
  const auto decided = decide_catch_up(rule, *rule.first(), now,
                                       catch_up_policy::every, {}, 100);
  EXPECT_EQ(decided.skipped, (skipped_occurrences{1, newest - 1}));
  EXPECT_EQ(decided.triggered->number, newest);
  EXPECT_EQ(decided.next, (occurrence{newest + 1, at("2034-01-01T00:00:01Z")}));
}
