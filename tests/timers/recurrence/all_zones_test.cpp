// Every zone of the database, over decades of changes.

#include "tests/timers/recurrence/vectors.hpp"
#include "timers/recurrence/cron_rule.hpp"

#include <fstream>

using namespace gnomon;
using namespace gnomon::test;

namespace {

/// Returns the names of zones that differ from each other since 1970.
std::vector<std::string> zone_names() {
  std::ifstream in{"/usr/share/zoneinfo/zone1970.tab"};
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    const auto begin = line.find('\t', line.find('\t') + 1) + 1;
    result.push_back(line.substr(begin, line.find('\t', begin) - begin));
  }
  return result;
}

/// Steps over the days around each change of the offset.
void step_over_changes(const std::string& name, const recurrence& rule) {
  const auto zone = timers::zone::find(name);
  ASSERT_TRUE(zone) << name;
  const auto end = at("2100-01-01T00:00:00Z").value / 1000;
  for (auto change = zone->next_change(0); change && change->at < end;
       change = zone->next_change(change->at)) {
    const timestamp from{(change->at - 2 * 86'400) * 1000};
    const timestamp until{(change->at + 2 * 86'400) * 1000};
    auto last = occurrence{1, from};
    for (int steps = 0; last.due < until; ++steps) {
      const auto next = rule.next(last);
      ASSERT_TRUE(next) << name;
      ASSERT_GT(next->due, last.due) << name;
      ASSERT_LT(steps, 2000) << name;
      last = *next;
    }
    EXPECT_EQ(rule.latest({1, from}, last.due), last) << name;
  }
}

} // namespace

TEST(AllZones, AreFound) {
  const auto names = zone_names();
  if (names.empty())
    GTEST_SKIP() << "no list of zones on this machine";
  EXPECT_GT(names.size(), 250u);
  for (const auto& name : names)
    EXPECT_TRUE(timers::zone::find(name)) << name;
}

TEST(AllZones, LetCronGoForwardOverEachChange) {
  for (const auto& name : zone_names()) {
    for (const auto text : {"0 30 2 * * *", "0 */30 * * * *", "0 0 0 * * *"})
      step_over_changes(name, parsed(text, "1970-01-01T00:00:00Z", name));
  }
}

TEST(AllZones, HaveSummerTimeInBerlinIn2040) {
  const auto berlin = timers::zone::find("Europe/Berlin");
  ASSERT_TRUE(berlin) << "is the tz database of the system installed?";
  EXPECT_EQ(berlin->offset_at(at("2040-07-01T00:00:00Z").value / 1000), 7200);
  EXPECT_EQ(berlin->offset_at(at("2040-01-01T00:00:00Z").value / 1000), 3600);
}
