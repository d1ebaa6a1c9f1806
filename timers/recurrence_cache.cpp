#include "timers/recurrence_cache.hpp"

#include "gnomon/check.hpp"

namespace gnomon::timers {

recurrence_cache::recurrence_cache(std::size_t entries_max)
  : entries_max_(entries_max) {
  GNOMON_CHECK(entries_max_ > 0);
}

result<recurrence> recurrence_cache::parse(const recurrence_source& source) {
  if (const auto known = entries_.find(source); known != entries_.end())
    return known->second;
  recurrence_options options;
  if (!source.zone.empty())
    options.default_zone = source.zone;
  options.cron_five_fields = source.cron_five_fields;
  auto parsed = recurrence::parse(source.expression, options, source.anchor);
  if (!parsed)
    return parsed;
  if (entries_.size() >= entries_max_)
    entries_.clear();
  entries_.emplace(source, *parsed);
  GNOMON_CHECK(entries_.size() <= entries_max_);
  return parsed;
}

} // namespace gnomon::timers
