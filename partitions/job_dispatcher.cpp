#include "partitions/job_dispatcher.hpp"

#include "gnomon/v1/job.pb.h"
#include "jobs/job_queries.hpp"

#include <algorithm>
#include <limits>

namespace gnomon::partitions {

namespace {

record job_command(v1::JobIntent verb, key about, bytes value) {
  record result;
  result.record_type = record_type::command;
  result.value_type = value_type::job;
  result.intent = {static_cast<std::uint16_t>(verb)};
  result.key = about;
  result.value = std::move(value);
  return result;
}

} // namespace

void job_dispatcher::begin_epoch(std::uint64_t epoch) {
  epoch_ = epoch;
  last_number_ = 0;
  workers_.clear();
  by_type_.clear();
}

std::string job_dispatcher::add(subscription what) {
  auto worker = std::to_string(epoch_) + '/' + std::to_string(++last_number_);
  by_type_[what.type].push_back(worker);
  workers_.emplace(worker, std::move(what));
  return worker;
}

bool job_dispatcher::remove(const std::string& worker) {
  const auto found = workers_.find(worker);
  if (found == workers_.end())
    return false;
  const auto of_type = by_type_.find(found->second.type);
  std::erase(of_type->second, worker);
  if (of_type->second.empty())
    by_type_.erase(of_type);
  workers_.erase(found);
  return true;
}

std::vector<record> job_dispatcher::propose(const state_reader& state) {
  std::vector<record> result;
  for (auto& [type, ids] : by_type_) {
    if (!jobs::has_available(state, type))
      continue;
    for (const auto& worker : ids) {
      const auto capacity = workers_.at(worker).capacity;
      const auto used = jobs::jobs_of_worker(state, worker, capacity).size();
      if (used < capacity)
        result.push_back(
          activation(worker, capacity - static_cast<std::uint32_t>(used)));
    }
    // The one that came first comes last the next time.
    std::ranges::rotate(ids, ids.begin() + 1);
  }
  return result;
}

std::vector<record> job_dispatcher::time_out(const state_reader& state,
                                             const std::string& worker) {
  v1::TimeOutJob value;
  value.set_lost_worker(worker);
  std::vector<record> result;
  for (auto about : jobs::jobs_of_worker(
         state, worker, std::numeric_limits<std::size_t>::max()))
    result.push_back(
      job_command(v1::JOB_INTENT_TIME_OUT, about, value.SerializeAsString()));
  return result;
}

std::vector<record>
job_dispatcher::time_out_strangers(const state_reader& state) const {
  const auto strangers = jobs::workers_with_jobs(
    state,
    [this](std::string_view worker) {
      return !workers_.contains(std::string{worker});
    },
    std::numeric_limits<std::size_t>::max());
  std::vector<record> result;
  for (const auto& worker : strangers)
    for (auto& command : time_out(state, worker))
      result.push_back(std::move(command));
  return result;
}

record job_dispatcher::activation(const std::string& worker,
                                  std::uint32_t jobs_max) const {
  const auto& wants = workers_.at(worker);
  v1::ActivateJobs value;
  value.set_type(wants.type);
  value.set_worker(worker);
  value.set_jobs_max(jobs_max);
  value.set_timeout_ms(wants.timeout.count());
  return job_command(v1::JOB_INTENT_ACTIVATE, {}, value.SerializeAsString());
}

} // namespace gnomon::partitions
