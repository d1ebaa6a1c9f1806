#include "timers/recurrence/zone.hpp"

#include "timers/recurrence/calendar.hpp"
#include "timers/recurrence/text_cursor.hpp"

#include <absl/time/civil_time.h>

#include <algorithm>
#include <array>
#include <string>

namespace gnomon::timers {

namespace {

constexpr std::size_t name_bytes_max = 64;

bool is_name_byte(char c) {
  return is_digit(c) || (upper(c) >= 'A' && upper(c) <= 'Z') || c == '/'
         || c == '_' || c == '-' || c == '+';
}

// Names become paths below the database, so nothing that leaves it may pass.
// "localtime" is the machine's choice, "right/" counts leap seconds.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= name_bytes_max
         && std::all_of(name.begin(), name.end(), is_name_byte)
         && name.front() != '/' && name != "localtime"
         && name.substr(0, 6) != "right/" && name.substr(0, 5) != "Fixed";
}

struct known_zone {
  std::string name;
  absl::TimeZone rules;
};

// Loading goes through a lock and a map of all zones; timers that trigger by
// the million mostly name the same few.
const absl::TimeZone* load(std::string_view name) {
  thread_local std::array<known_zone, 4> known;
  thread_local std::size_t oldest = 0;
  for (const auto& entry : known)
    if (entry.name == name)
      return &entry.rules;
  absl::TimeZone rules;
  if (!absl::LoadTimeZone(std::string{name}, &rules))
    return nullptr;
  auto& entry = known[oldest];
  oldest = (oldest + 1) % known.size();
  entry = {std::string{name}, rules};
  return &entry.rules;
}

absl::CivilSecond to_civil(wall_seconds wall) {
  const auto date = to_date(floor_div(wall, day_seconds));
  const auto rest = floor_mod(wall, day_seconds);
  return absl::CivilSecond(date.year, date.month, date.day, 0, 0, rest);
}

wall_seconds to_wall(absl::CivilSecond civil) {
  return civil - absl::CivilSecond();
}

wall_meaning::kind to_kind(absl::TimeZone::TimeInfo::CivilKind kind) {
  switch (kind) {
  case absl::TimeZone::TimeInfo::SKIPPED:
    return wall_meaning::kind::never;
  case absl::TimeZone::TimeInfo::REPEATED:
    return wall_meaning::kind::twice;
  default:
    return wall_meaning::kind::once;
  }
}

} // namespace

zone zone::fixed(std::int32_t offset_seconds) {
  zone result;
  result.offset_ = offset_seconds;
  return result;
}

std::optional<zone> zone::find(std::string_view name) {
  if (name == "UTC")
    return zone{};
  if (!name.empty() && (name == "Z" || name[0] == '+' || name[0] == '-')) {
    text_cursor in{name};
    const auto offset = parse_offset(in);
    if (!offset || !in.at_end())
      return std::nullopt;
    return fixed(*offset);
  }
  if (!is_name(name))
    return std::nullopt;
  const auto* rules = load(name);
  if (rules == nullptr)
    return std::nullopt;
  zone result;
  result.fixed_ = false;
  result.rules_ = *rules;
  return result;
}

std::int32_t zone::offset_at(utc_seconds when) const {
  return fixed_ ? offset_ : rules_.At(absl::FromUnixSeconds(when)).offset;
}

wall_meaning zone::meaning(wall_seconds wall) const {
  if (fixed_) {
    const auto when = wall - offset_;
    return {wall_meaning::kind::once, when, when, when};
  }
  const auto found = rules_.At(to_civil(wall));
  return {to_kind(found.kind), absl::ToUnixSeconds(found.pre),
          absl::ToUnixSeconds(found.trans), absl::ToUnixSeconds(found.post)};
}

std::optional<offset_change> zone::next_change(utc_seconds when) const {
  absl::TimeZone::CivilTransition found;
  if (fixed_ || !rules_.NextTransition(absl::FromUnixSeconds(when), &found))
    return std::nullopt;
  // The end of a gap is shown once, the start of an overlap twice: `trans` is
  // the change in both cases.
  const auto at = rules_.At(found.to).trans;
  return offset_change{absl::ToUnixSeconds(at), to_wall(found.from),
                       to_wall(found.to)};
}

std::optional<std::int32_t> parse_offset(text_cursor& in) {
  constexpr int hours_max = 18;
  if (in.take_letter('Z'))
    return 0;
  const auto begin = in.offset();
  const bool negative = in.peek() == '-';
  if (!in.take('+') && !in.take('-'))
    return in.fail("Z or an offset like +01:00");
  const auto hours = in.take_fixed(2, 0, hours_max, "hours from 00 to 18");
  if (!hours)
    return std::nullopt;
  std::int32_t total = *hours * 3600;
  for (int unit = 60; unit > 0 && in.take(':'); unit /= 60) {
    const auto value = in.take_fixed(2, 0, 59, "two digits from 00 to 59");
    if (!value)
      return std::nullopt;
    total += *value * unit;
  }
  if (total > hours_max * 3600)
    return in.fail_since(begin, "an offset of at most 18 hours");
  return negative ? -total : total;
}

} // namespace gnomon::timers
