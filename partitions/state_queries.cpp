#include "partitions/state_queries.hpp"

#include "jobs/incident_queries.hpp"
#include "jobs/job_queries.hpp"
#include "timers/timer_queries.hpp"

namespace gnomon::partitions {

namespace {

constexpr std::size_t results_default = 100;
constexpr std::size_t results_max = 10'000;
constexpr std::size_t visits_default = 10'000'000;

timers::query_limits limits_for(std::uint32_t results) {
  timers::query_limits limits;
  limits.results_max = results == 0
                         ? results_default
                         : std::min<std::size_t>(results, results_max);
  return limits;
}

std::size_t visits_for(std::uint64_t visits) {
  return visits == 0 ? visits_default : visits;
}

v1::TimerPage list(const v1::ListTimers& question, const state_reader& state) {
  timers::timer_filter filter;
  filter.target = question.target();
  if (question.has_due_by_ms())
    filter.due_by = timestamp{question.due_by_ms()};
  return to_message(timers::list_timers(state, {question.after_key()}, filter,
                                        limits_for(question.timers_max())));
}

v1::TimerView describe(const v1::DescribeTimer& question,
                       const state_reader& state) {
  const auto found
    = question.key() != 0
        ? timers::describe_timer(state, key{question.key()})
        : timers::describe_timer(state, std::string_view{question.name()});
  return found ? to_message(*found) : v1::TimerView{};
}

v1::JobPage list(const v1::ListJobs& question, const state_reader& state) {
  jobs::job_filter filter;
  filter.type = question.type();
  if (question.phase() != v1::JOB_PHASE_UNSPECIFIED)
    filter.phase = static_cast<jobs::job_phase>(question.phase());
  return to_message(jobs::list_jobs(state, {question.after_key()}, filter,
                                    limits_for(question.jobs_max())));
}

v1::IncidentPage list(const v1::ListIncidents& question,
                      const state_reader& state) {
  return to_message(jobs::list_incidents(state, {question.after_key()},
                                         limits_for(question.incidents_max())));
}

} // namespace

bool is_long(const v1::Query& question) {
  return question.what_case() == v1::Query::kWaitingRoom
         || question.what_case() == v1::Query::kCountJobs;
}

result<v1::QueryReply> answer(const v1::Query& question,
                              const state_reader& state, timestamp now) {
  v1::QueryReply reply;
  switch (question.what_case()) {
  case v1::Query::kListTimers:
    *reply.mutable_list_timers() = list(question.list_timers(), state);
    break;
  case v1::Query::kDescribeTimer:
    *reply.mutable_describe_timer()
      = describe(question.describe_timer(), state);
    break;
  case v1::Query::kWaitingRoom:
    *reply.mutable_waiting_room() = to_message(timers::waiting_room(
      state, now, visits_for(question.waiting_room().visits_max())));
    break;
  case v1::Query::kListJobs:
    *reply.mutable_list_jobs() = list(question.list_jobs(), state);
    break;
  case v1::Query::kCountJobs:
    *reply.mutable_count_jobs() = to_message(
      jobs::count_jobs(state, visits_for(question.count_jobs().visits_max())));
    break;
  case v1::Query::kListIncidents:
    *reply.mutable_list_incidents() = list(question.list_incidents(), state);
    break;
  default:
    return {errc::invalid_argument,
            "answer a query: expected a question, but found none"};
  }
  if (state.failure())
    return *state.failure();
  return reply;
}

} // namespace gnomon::partitions
