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
  last_types_.clear();
}

std::string job_dispatcher::add(subscription what) {
  auto worker = std::to_string(epoch_) + '/' + std::to_string(++last_number_);
  by_type_[what.type].push_back(worker);
  workers_.emplace(worker, std::move(what));
  return worker;
}

void job_dispatcher::change(const std::string& worker, subscription what) {
  auto& current = workers_.at(worker);
  GNOMON_CHECK(current.type == what.type);
  current = std::move(what);
}

bool job_dispatcher::remove(const std::string& worker) {
  const auto found = workers_.find(worker);
  if (found == workers_.end())
    return false;
  const auto of_type = by_type_.find(found->second.type);
  std::erase(of_type->second, worker);
  if (of_type->second.empty()) {
    last_types_.erase(of_type->first);
    by_type_.erase(of_type);
  }
  workers_.erase(found);
  return true;
}

std::vector<record> job_dispatcher::propose(const state_reader& state) {
  std::vector<record> result;
  for (auto& [type, ids] : by_type_) {
    const auto before = result.size();
    if (type.ends_with('*'))
      propose_prefix(state, type, ids, result);
    else
      propose_exact(state, type, ids, result);
    // The one that came first comes last the next time.
    if (result.size() > before)
      std::rotate(ids.begin(), ids.begin() + 1, ids.end());
  }
  return result;
}

void job_dispatcher::propose_exact(const state_reader& state,
                                   const std::string& type,
                                   const worker_ids& ids,
                                   std::vector<record>& into) const {
  if (!jobs::has_available(state, type))
    return;
  for (const auto& worker : ids)
    if (const auto room = room_of(state, worker); room > 0)
      into.push_back(activation(worker, type, room));
}

void job_dispatcher::propose_prefix(const state_reader& state,
                                    const std::string& pattern,
                                    const worker_ids& ids,
                                    std::vector<record>& into) {
  const auto prefix = std::string_view{pattern}.substr(0, pattern.size() - 1);
  for (const auto& worker : ids) {
    auto room = room_of(state, worker);
    if (room == 0)
      continue;
    auto& last = last_types_[pattern];
    auto types = jobs::available_types(state, prefix, last, room);
    if (types.empty() && !last.empty())
      types = jobs::available_types(state, prefix, {}, room);
    if (types.empty())
      return;
    // Types share the room; the last ones get what does not divide.
    for (auto left = static_cast<std::uint32_t>(types.size());
         const auto& type : types) {
      into.push_back(activation(worker, type, room / left));
      room -= room / left;
      --left;
    }
    last = types.back();
  }
}

std::uint32_t job_dispatcher::room_of(const state_reader& state,
                                      const std::string& worker) const {
  const auto& wants = workers_.at(worker);
  const auto used = static_cast<std::uint32_t>(
    jobs::jobs_of_worker(state, worker, wants.capacity).size());
  if (wants.once && used > 0)
    return 0;
  return std::min(wants.capacity - used, jobs_per_proposal_max_);
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
                                  const std::string& type,
                                  std::uint32_t jobs_max) const {
  const auto& wants = workers_.at(worker);
  v1::ActivateJobs value;
  value.set_type(type);
  value.set_worker(worker);
  value.set_jobs_max(jobs_max);
  value.set_timeout_ms(wants.timeout.count());
  return job_command(v1::JOB_INTENT_ACTIVATE, {}, value.SerializeAsString());
}

} // namespace gnomon::partitions
