// Expressions from strangers: bounded, and never the end of the process.

#include "tests/timers/recurrence/vectors.hpp"

#include <random>

using namespace gnomon;
using namespace gnomon::test;

namespace {

using random_source = std::mt19937_64;

struct expression_case {
  std::string text;
  std::string zone;
  timestamp anchor;
};

std::vector<expression_case> known_cases() {
  std::vector<expression_case> result;
  for (const auto& row : read_vectors("iso8601.csv"))
    result.push_back(
      {row["input"], row["default_zone"], at(row["anchor_or_now"])});
  for (const auto& row : read_vectors("cron.csv"))
    result.push_back({row["input"], row["zone"], at(row["anchor"])});
  return result;
}

char draw_byte(random_source& random) {
  constexpr std::string_view likely = "0123456789PTRYMWDHSZLW#*/-+,.?@[]: :";
  return random() % 8 == 0 ? static_cast<char>(random() % 256)
                           : likely[random() % likely.size()];
}

/// Removes, replaces, inserts or doubles a byte or two.
std::string mutated(std::string text, random_source& random) {
  for (auto edits = 1 + random() % 2; edits > 0; --edits) {
    const auto place = random() % (text.size() + 1);
    switch (random() % 4) {
    case 0:
      text.erase(place, 1);
      break;
    case 1:
      text.insert(place, 1, draw_byte(random));
      break;
    case 2:
      text.insert(place, text.substr(0, random() % 8));
      break;
    default:
      if (place < text.size())
        text[place] = draw_byte(random);
    }
  }
  return text;
}

void expect_sound_fault(const std::string& text, const parse_error& where,
                        const gnomon::error& reason) {
  EXPECT_EQ(reason.code, errc::invalid_argument);
  EXPECT_LE(where.offset, text.size());
  EXPECT_FALSE(where.found.empty());
  EXPECT_FALSE(where.expected.empty());
  EXPECT_LT(reason.context.size(), 1200u);
}

void expect_sound_sequence(const std::string& text, const recurrence& rule,
                           timestamp now) {
  auto current = rule.first();
  for (int i = 0; current && i < 4; ++i) {
    const auto next = rule.next(*current);
    const auto latest = rule.latest(*current, std::max(now, current->due));
    ASSERT_TRUE(latest) << text;
    EXPECT_GE(latest->number, current->number) << text;
    if (next) {
      EXPECT_GT(next->number, current->number) << text;
      EXPECT_TRUE(next->due > current->due || text[0] == 'R') << text;
    }
    current = next;
  }
}

} // namespace

TEST(HostileExpression, EndsInAFaultOrInASequence) {
  random_source random{1};
  const auto known = known_cases();
  const timestamp in_2098 = at("2098-01-01T00:00:00Z");
  int sound = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto& origin = known[random() % known.size()];
    const auto text = mutated(origin.text, random);
    recurrence_options options;
    options.default_zone = origin.zone;
    options.cron_five_fields = i % 2 == 0;
    parse_error where;
    const auto rule = recurrence::parse(text, options, origin.anchor, &where);
    if (!rule) {
      expect_sound_fault(text, where, rule.error());
      continue;
    }
    ++sound;
    expect_sound_sequence(text, *rule, in_2098);
  }
  EXPECT_GT(sound, 5000);
}

TEST(HostileExpression, IsBoundedHoweverLongItIs) {
  const std::string digits(1'000'000, '9');
  const std::string blanks(1'000'000, ' ');
  for (const auto& text :
       {digits, "P" + digits + "D", "R" + digits + "/PT1H", blanks,
        "0 0 0 " + digits + " * *", digits + "h", "PT1." + digits + "S",
        "+" + digits + "-01-01T00:00Z", "2024-01-01T00:00Z[" + digits + "]"}) {
    parse_error where;
    const auto rule = recurrence::parse(text, {}, {}, &where);
    ASSERT_FALSE(rule);
    expect_sound_fault(text, where, rule.error());
  }
}

TEST(HostileExpression, NeedsNoMoreRoundsForMatchesInAGap) {
  // The second Sunday of March at 02:30 is in the gap every year since 2007.
  recurrence_options options;
  options.default_zone = "America/New_York";
  const std::string_view text = "0 30 2 * 3 SUN#2";
  EXPECT_FALSE(recurrence::parse(text, options, at("2024-01-01T00:00:00Z")));
  const auto early
    = recurrence::parse(text, options, at("2005-01-01T00:00:00Z"));
  ASSERT_TRUE(early);
  EXPECT_EQ(due_dates(*early, 9).size(), 2u);
}

TEST(HostileExpression, CountsEverySecondOfTenYearsAtOnce) {
  const auto rule
    = parsed("* * * * * *", "2024-01-01T00:00:00Z", "Europe/Berlin");
  const auto now = at("2034-01-01T00:00:00Z");
  const auto latest = rule.latest(*rule.first(), now);
  EXPECT_EQ(latest, (occurrence{3653ull * 86'400, now}));
  EXPECT_TRUE(rule.latest(*rule.first(), timestamp::max()));
}
