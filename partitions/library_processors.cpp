#include "partitions/library_processors.hpp"

#include "jobs/job_processor.hpp"
#include "timers/timer_processor.hpp"

#include <algorithm>

namespace gnomon::partitions {

namespace {

timers::timer_options timer_options_of(const partition_options& from) {
  timers::timer_options result;
  result.target_bytes_max = from.target_bytes_max;
  result.payload_bytes_max = from.payload_bytes_max;
  result.catch_up.catch_up_grace = from.catch_up_grace;
  result.catch_up.catch_up_max = from.catch_up_max;
  return result;
}

jobs::job_options job_options_of(const partition_options& from) {
  jobs::job_options result;
  result.type_bytes_max = from.target_bytes_max;
  result.payload_bytes_max = from.payload_bytes_max;
  result.jobs_per_activate_max
    = std::max(result.jobs_per_activate_max, from.jobs_per_activation_max);
  return result;
}

} // namespace

std::vector<std::unique_ptr<record_processor>>
library_processors(const partition_options& options) {
  std::vector<std::unique_ptr<record_processor>> made;
  made.push_back(
    std::make_unique<timers::timer_processor>(timer_options_of(options)));
  made.push_back(
    std::make_unique<jobs::job_processor>(job_options_of(options)));
  return made;
}

} // namespace gnomon::partitions
