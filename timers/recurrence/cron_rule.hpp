// The instants at which a wall clock shows what a cron expression names.

#pragma once

#include "timers/recurrence/cron_schedule.hpp"
#include "timers/recurrence/rule.hpp"
#include "timers/recurrence/zone.hpp"

#include <cstdint>
#include <optional>

namespace gnomon::timers {

/// Instants strictly behind an anchor.
///
/// A wall time that the clock is put forward over has no instant. One that is
/// shown twice has both if the schedule is frequent, else only the first one
/// that is not before the anchor.
class cron_rule final : public recurrence::rule {
public:
  cron_rule(const cron_schedule& schedule, const zone& where, timestamp anchor);

  std::optional<occurrence> first() const override;

  std::optional<occurrence> next(const occurrence& previous) const override;

  occurrence latest(const occurrence& from, timestamp now) const override;

  bool repeats() const override {
    return true;
  }

private:
  std::optional<utc_seconds> at_or_after(utc_seconds from) const;

  struct resolved {
    bool is_match = false;
    utc_seconds at = 0;
  };

  resolved resolve(wall_seconds wall, utc_seconds from) const;

  std::optional<utc_seconds> last_until(utc_seconds from,
                                        utc_seconds until) const;

  std::int64_t count(utc_seconds begin, utc_seconds end) const;

  std::int64_t count_rest_shown_again(utc_seconds begin,
                                      wall_seconds end_wall) const;

  std::int64_t count_since_anchor(wall_seconds begin, wall_seconds end,
                                  std::int64_t offset) const;

  std::int64_t count_span(wall_seconds begin, wall_seconds end) const;

  cron_schedule schedule_;
  zone where_;
  timestamp anchor_;
  bool frequent_;
};

} // namespace gnomon::timers
