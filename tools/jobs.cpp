#include "tools/jobs.hpp"

#include "jobs/job_queries.hpp"
#include "tools/paged_list.hpp"

#include <ostream>

namespace gnomon::tools {

namespace {

using jobs::job_phase;
using jobs::job_view;

std::string name_of(job_phase phase) {
  switch (phase) {
  case job_phase::available:
    return "available";
  case job_phase::activated:
    return "activated";
  case job_phase::backing_off:
    return "backing_off";
  case job_phase::failed:
    return "failed";
  }
  return std::to_string(static_cast<unsigned>(phase));
}

json to_json(const job_view& job) {
  json object;
  object["key"] = key_as_json(job.key);
  object["type"] = job.type;
  object["phase"] = name_of(job.phase);
  object["activation"] = job.activation;
  object["retries"] = job.retries;
  object["failures"] = job.failures;
  object["worker"] = job.worker;
  object["deadline"] = time_as_json(job.deadline);
  object["back_off_due"] = time_as_json(job.back_off_due);
  object["incident"] = key_as_json(job.incident);
  object["timer"] = key_as_json(job.timer_key);
  object["occurrence"] = job.occurrence;
  object["payload_bytes"] = job.payload_bytes;
  return object;
}

std::string next_step(const job_view& job, timestamp now) {
  if (job.deadline)
    return "deadline " + to_words(*job.deadline, now);
  if (job.back_off_due)
    return "offered again " + to_words(*job.back_off_due, now);
  if (job.incident)
    return "incident " + std::to_string(job.incident.value);
  return "-";
}

void print(const std::vector<job_view>& found, timestamp now,
           std::ostream& out) {
  text_table table{
    {">KEY", "TYPE", "PHASE", ">RETRIES", "WORKER", "NEXT", ">TIMER"}};
  for (const auto& job : found)
    table.add({std::to_string(job.key.value), printable(job.type),
               name_of(job.phase), std::to_string(job.retries),
               job.worker.empty() ? "-" : printable(job.worker),
               next_step(job, now),
               job.timer_key ? std::to_string(job.timer_key.value) : "-"});
  if (!table.empty())
    table.print(out);
}

} // namespace

int run_jobs(const jobs_request& request, const command_context& context) {
  paged_list list{request.which.as_json, "jobs", context.out};
  const auto status
    = show_states(context, request.which, [&](const shown_state& state) {
        const jobs::job_filter filter{.type = request.type};
        const auto found = collect<job_view>(
          request.limit, [&](key after, const timers::query_limits& limits) {
            auto page
              = jobs::list_jobs(*state.view.reader, after, filter, limits);
            return std::pair{std::move(page.jobs), page.next_after};
          });
        list.add(state, found, to_json, print);
        return result<void>{};
      });
  list.end();
  return status;
}

} // namespace gnomon::tools
