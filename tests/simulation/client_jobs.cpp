// Workers, and the operator who looks after their jobs.

#include "gnomon/commands.hpp"
#include "gnomon/v1/incident.pb.h"
#include "jobs/job_processor.hpp"
#include "tests/simulation/client.hpp"

namespace gnomon::simulation {

namespace {

template <class Value>
record job_command(v1::JobIntent verb, key about, const Value& value) {
  record result;
  result.record_type = record_type::command;
  result.value_type = value_type::job;
  result.intent = {static_cast<std::uint16_t>(verb)};
  result.key = about;
  result.value = value.SerializeAsString();
  return result;
}

record resolution(key incident) {
  record result;
  result.record_type = record_type::command;
  result.value_type = value_type::incident;
  result.intent = {v1::INCIDENT_INTENT_RESOLVE};
  result.key = incident;
  return result;
}

record completion(key about, std::uint32_t activation) {
  return to_record(to_command(complete_job{about, activation, "done"}));
}

record failure(key about, std::uint32_t activation,
               test::seeded_random& random) {
  v1::FailJob value;
  value.set_activation(activation);
  value.set_message("failed");
  if (random.chance(50))
    value.set_retries(random.one_of<std::uint32_t>({0, 1, 3}));
  if (random.chance(50))
    value.set_back_off_ms(random.one_of<std::int64_t>({0, 1, 5'000}));
  return job_command(v1::JOB_INTENT_FAIL, about, value);
}

record thrown_error(key about, std::uint32_t activation) {
  v1::ThrowError value;
  value.set_activation(activation);
  value.set_code("code");
  return job_command(v1::JOB_INTENT_THROW_ERROR, about, value);
}

record longer(key about, std::uint32_t activation) {
  v1::UpdateJobTimeout value;
  value.set_activation(activation);
  value.set_timeout_ms(7'000);
  return job_command(v1::JOB_INTENT_UPDATE_TIMEOUT, about, value);
}

record more_retries(key about) {
  v1::UpdateJobRetries value;
  value.set_retries(2);
  return job_command(v1::JOB_INTENT_UPDATE_RETRIES, about, value);
}

} // namespace

void client::hold(const held_job& job) {
  held_.push_back(job);
}

std::optional<record> client::draw_answer() {
  if (held_.empty())
    return std::nullopt;
  const auto at = random_.below(held_.size());
  const auto [about, known] = held_[at];
  // Some answer twice, some late, some never, some as somebody else.
  const auto activation = random_.chance(5) ? known + 1 : known;
  if (random_.chance(10))
    return longer(about, activation);
  if (!random_.chance(10))
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(at));
  switch (random_.below(10)) {
  case 0:
    return std::nullopt;
  case 1:
  case 2:
    return failure(about, activation, random_);
  case 3:
    return thrown_error(about, activation);
  default:
    return completion(about, activation);
  }
}

record client::draw_operator() {
  const auto& open = log_->jobs().open();
  const auto& incidents = log_->jobs().incidents();
  if (open.empty())
    return draw_create();
  if (!incidents.empty() && random_.chance(60))
    return random_.chance(50) ? resolution({incidents.begin()->first})
                              : more_retries({incidents.begin()->second});
  auto found = open.begin();
  std::advance(found, static_cast<std::ptrdiff_t>(random_.below(open.size())));
  const key about{found->first};
  return random_.chance(50)
           ? more_retries(about)
           : job_command(v1::JOB_INTENT_CANCEL, about, v1::UpdateJobRetries{});
}

std::vector<record> client::finish_all() {
  std::vector<record> result;
  for (const auto& [about, activation] : std::exchange(held_, {}))
    result.push_back(completion(about, activation));
  // One after the other: a partition takes in only so much.
  if (!pending_.empty())
    return result;
  for (const auto& [incident, job] : log_->jobs().incidents()) {
    result.push_back(more_retries({job}));
    result.push_back(resolution({incident}));
  }
  return result;
}

void client::pushed(const engine::delivery& what) {
  v1::JobPush push;
  v1::Jobs content;
  if (what.channel != jobs::job_channel || !push.ParseFromString(what.content)
      || !content.ParseFromString(push.jobs()))
    return trace_->breach("a delivery that nobody knows");
  for (const auto& job : content.jobs())
    pushed(push.worker(), job);
}

void client::pushed(const std::string& worker, const v1::Job& job) {
  trace_->note(job.key());
  if (!log_->jobs().was_activated(job.key(), job.activation(), worker))
    trace_->breach("job " + std::to_string(job.key())
                   + " was pushed, but not activated");
  if (!pushed_.emplace(job.key(), job.activation()).second)
    trace_->breach("job " + std::to_string(job.key())
                   + " was pushed twice in one activation");
  hold({{job.key()}, job.activation()});
}

} // namespace gnomon::simulation
