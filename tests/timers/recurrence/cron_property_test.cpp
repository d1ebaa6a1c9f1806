// Compares cron with a scanner that looks at every minute.

#include "tests/timers/recurrence/vectors.hpp"
#include "timers/recurrence/zone.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

using namespace gnomon;
using namespace gnomon::test;

namespace {

/// A cron expression of plain lists, kept as the values it names.
struct plain_cron {
  std::set<int> minutes;
  std::set<int> hours;
  std::set<int> days;
  std::set<int> months;
  std::set<int> weekdays;

  /// @param wall  Seconds since 1970 on the wall, within a whole minute.
  bool matches(std::int64_t wall) const {
    using namespace std::chrono;
    const auto day = floor<std::chrono::days>(sys_seconds{seconds{wall}});
    const year_month_day date{day};
    const auto minute = wall / 60 % 60;
    const auto hour = wall / 3600 % 24;
    return wall % 60 == 0 && minutes.count(static_cast<int>(minute)) > 0
           && hours.count(static_cast<int>(hour)) > 0
           && days.count(static_cast<int>(unsigned{date.day()})) > 0
           && months.count(static_cast<int>(unsigned{date.month()})) > 0
           && weekdays.count(static_cast<int>(weekday{day}.c_encoding())) > 0;
  }

  bool is_frequent() const {
    return minutes.size() > 1 || hours.size() == 24;
  }
};

std::string to_list(const std::set<int>& values) {
  std::string result;
  for (const auto value : values)
    result += (result.empty() ? "" : ",") + std::to_string(value);
  return result;
}

std::string to_text(const plain_cron& cron) {
  return "0 " + to_list(cron.minutes) + " " + to_list(cron.hours) + " "
         + to_list(cron.days) + " " + to_list(cron.months) + " "
         + to_list(cron.weekdays);
}

constexpr int cases = 2;
constexpr int night_cases = 60;

using random_source = std::mt19937_64;

int draw(random_source& random, int min, int max) {
  return min + static_cast<int>(random() % (max - min + 1));
}

/// All values, or some of them.
std::set<int> draw_set(random_source& random, int min, int max,
                       int all_of_ten) {
  std::set<int> result;
  if (draw(random, 0, 9) < all_of_ten) {
    for (int value = min; value <= max; ++value)
      result.insert(value);
    return result;
  }
  for (int i = draw(random, 1, 4); i > 0; --i)
    result.insert(draw(random, min, max));
  return result;
}

plain_cron draw_cron(random_source& random) {
  plain_cron result;
  result.minutes = {draw(random, 0, 59)};
  if (draw(random, 0, 1) == 0)
    result.minutes.insert(draw(random, 0, 59));
  // Clocks are changed at night.
  result.hours = draw_set(random, 0, draw(random, 0, 3) != 0 ? 3 : 23, 2);
  result.days = draw_set(random, 1, 31, 8);
  result.months = draw_set(random, 1, 12, 8);
  result.weekdays = draw_set(random, 0, 6, 8);
  return result;
}

/// Returns every due date in (anchor, end] by looking at every minute.
std::vector<timestamp> scan(const plain_cron& cron, const timers::zone& zone,
                            timestamp anchor, timestamp end) {
  constexpr std::int64_t minute = 60'000;
  std::vector<timestamp> result;
  std::set<std::int64_t> shown;
  for (auto now = anchor.value; now <= end.value; now += minute) {
    const auto wall = now / 1000 + zone.offset_at(now / 1000);
    if (!cron.matches(wall))
      continue;
    const bool is_new = shown.insert(wall).second;
    if (now > anchor.value && (is_new || cron.is_frequent()))
      result.push_back({now});
  }
  return result;
}

/// Years with something unusual in each of the zones.
struct zone_years {
  const char* zone;
  const char* begin;
  const char* end;
};

void PrintTo(const zone_years& years, std::ostream* out) {
  *out << years.zone << " from " << years.begin;
}

/// A cron, and all that it is due at in (anchor, end].
struct scanned_case {
  std::string text;
  timestamp anchor;
  timestamp end;
  std::vector<timestamp> expected;
};

class CronInZone : public testing::TestWithParam<zone_years> {
protected:
  CronInZone() {
    zone = timers::zone::find(GetParam().zone).value();
    for (const char* c = GetParam().begin; *c != '\0'; ++c)
      random.discard(static_cast<unsigned char>(*c));
  }

  scanned_case draw_case(timestamp anchor, timestamp end) {
    const auto cron = draw_cron(random);
    return {to_text(cron), anchor, end, scan(cron, zone, anchor, end)};
  }

  /// Cases of three days or less around each change of the offset.
  std::vector<scanned_case> draw_night_cases() {
    std::vector<scanned_case> result;
    const auto end = at(GetParam().end).value / 1000;
    auto change = zone.next_change(at(GetParam().begin).value / 1000);
    for (; change && change->at <= end; change = zone.next_change(change->at)) {
      const timestamp at_change{change->at * 1000};
      for (int i = 0; i < night_cases; ++i) {
        // Sometimes in the midst of it.
        const auto minutes = draw(random, 0, 1) == 0 ? draw(random, -150, 150)
                                                     : draw(random, -1500, 0);
        const auto anchor = at_change + std::chrono::minutes{minutes};
        result.push_back(draw_case(anchor, at_change + std::chrono::hours{50}));
      }
    }
    return result;
  }

  void expect_due_dates(const scanned_case& drawn) {
    recurrence_options options;
    options.default_zone = GetParam().zone;
    const auto rule = recurrence::parse(drawn.text, options, drawn.anchor);
    if (!rule) {
      EXPECT_TRUE(drawn.expected.empty()) << drawn.text;
      return;
    }
    auto dates = due_dates(*rule, drawn.expected.size() + 1);
    if (!dates.empty() && dates.back() > drawn.end)
      dates.pop_back();
    EXPECT_EQ(dates, drawn.expected)
      << drawn.text << " from " << drawn.anchor.value;
  }

  /// Compares some pairs of due dates with what `latest` makes of them.
  void expect_latest(const scanned_case& drawn) {
    const auto size = static_cast<int>(drawn.expected.size());
    if (size < 2)
      return;
    recurrence_options options;
    options.default_zone = GetParam().zone;
    const auto rule = recurrence::parse(drawn.text, options, drawn.anchor);
    ASSERT_TRUE(rule) << drawn.text;
    for (int step = 0; step < 40; ++step) {
      const auto from = draw(random, 0, size - 2);
      const auto to = draw(random, from + 1, size - 1);
      const auto start = nth(drawn, from);
      const auto last = nth(drawn, to);
      const timestamp before{last.due.value - 1};
      EXPECT_EQ(rule->latest(start, last.due), last) << drawn.text;
      EXPECT_EQ(rule->latest(start, before), nth(drawn, to - 1)) << drawn.text;
    }
  }

  static occurrence nth(const scanned_case& drawn, int index) {
    return {1 + static_cast<std::uint64_t>(index), drawn.expected[index]};
  }

  timers::zone zone;
  random_source random{2024};
};

} // namespace

TEST_P(CronInZone, IsDueWhenAScannerSaysSo) {
  for (int i = 0; i < cases; ++i)
    expect_due_dates(draw_case(at(GetParam().begin), at(GetParam().end)));
}

TEST_P(CronInZone, IsDueWhenAScannerSaysSoAroundChanges) {
  for (const auto& drawn : draw_night_cases())
    expect_due_dates(drawn);
}

TEST_P(CronInZone, FindsTheLatestThatAScannerFinds) {
  for (int i = 0; i < cases; ++i)
    expect_latest(draw_case(at(GetParam().begin), at(GetParam().end)));
}

TEST_P(CronInZone, FindsTheLatestThatAScannerFindsAroundChanges) {
  for (const auto& drawn : draw_night_cases())
    expect_latest(drawn);
}

INSTANTIATE_TEST_SUITE_P(
  Zones, CronInZone,
  testing::Values(
    zone_years{"UTC", "2023-12-01T00:00:00Z", "2025-01-31T00:00:00Z"},
    zone_years{"Europe/Berlin", "2024-03-30T00:00:00Z", "2025-12-31T00:00:00Z"},
    zone_years{"Europe/Berlin", "2024-10-27T00:40:00Z", "2025-12-31T00:00:00Z"},
    zone_years{"Europe/Berlin", "2040-01-01T00:00:00Z", "2041-12-31T00:00:00Z"},
    zone_years{"Europe/Dublin", "2024-01-01T00:00:00Z", "2025-12-31T00:00:00Z"},
    zone_years{"Australia/Lord_Howe", "2024-01-01T00:00:00Z",
               "2025-12-31T00:00:00Z"},
    zone_years{"Pacific/Apia", "2011-01-01T00:00:00Z", "2012-12-31T00:00:00Z"},
    zone_years{"Africa/Casablanca", "2023-01-01T00:00:00Z",
               "2025-12-31T00:00:00Z"},
    zone_years{"Africa/Cairo", "2024-01-01T00:00:00Z", "2025-12-31T00:00:00Z"},
    zone_years{"America/Sao_Paulo", "2016-01-01T00:00:00Z",
               "2017-12-31T00:00:00Z"},
    zone_years{"America/New_York", "2026-01-01T00:00:00Z",
               "2027-12-31T00:00:00Z"},
    zone_years{"Antarctica/Troll", "2024-01-01T00:00:00Z",
               "2025-12-31T00:00:00Z"},
    zone_years{"Asia/Pyongyang", "2015-01-01T00:00:00Z",
               "2018-12-31T00:00:00Z"}));
