#include "jobs/job_queries.hpp"

#include "gnomon/state_key.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/incident_state.hpp"

#include <algorithm>

namespace gnomon::jobs {

namespace {

/// Returns nothing if the bytes in the state are malformed.
std::optional<job_view> to_view(const state_reader& state, key about,
                                bytes_view body) {
  const auto job = decode_job(body);
  v1::JobCreated created;
  if (!job
      || !created.ParseFromArray(job->created.data(),
                                 static_cast<int>(job->created.size())))
    return std::nullopt;
  job_view result;
  result.key = about;
  result.type = std::string{job->type};
  result.phase = job->phase;
  result.activation = job->activation;
  result.retries = job->retries;
  result.failures = job->failures;
  result.worker = std::string{job->worker};
  if (job->phase == job_phase::activated)
    result.deadline = job->due;
  if (job->phase == job_phase::backing_off)
    result.back_off_due = job->due;
  if (job->phase == job_phase::failed)
    result.incident = incident_of_job(state, about);
  result.timer_key = {created.timer_key()};
  result.occurrence = created.occurrence();
  result.payload_bytes = created.payload().size();
  return result;
}

v1::JobView to_message(const job_view& job) {
  v1::JobView result;
  result.set_key(job.key.value);
  result.set_type(job.type);
  result.set_phase(static_cast<v1::JobPhase>(job.phase));
  result.set_activation(job.activation);
  result.set_retries(job.retries);
  result.set_failures(job.failures);
  result.set_worker(job.worker);
  if (job.deadline)
    result.set_deadline_ms(job.deadline->value);
  if (job.back_off_due)
    result.set_back_off_due_ms(job.back_off_due->value);
  result.set_incident_key(job.incident.value);
  result.set_timer_key(job.timer_key.value);
  result.set_occurrence(job.occurrence);
  result.set_payload_bytes(job.payload_bytes);
  return result;
}

// The numbers of the phases in messages are those of the state.
static_assert(static_cast<int>(job_phase::available)
              == v1::JOB_PHASE_AVAILABLE);
static_assert(static_cast<int>(job_phase::failed) == v1::JOB_PHASE_FAILED);

bool is_wanted(const job_view& job, const job_filter& filter) {
  return (filter.type.empty() || job.type == filter.type)
         && (!filter.phase || job.phase == *filter.phase);
}

/// Returns the text that begins the first key at or behind `from`.
std::optional<std::string> next_text(const state_reader& state,
                                     column_family family, bytes_view from) {
  std::optional<std::string> result;
  state.visit(family, from, [&](bytes_view found, bytes_view) {
    result = state_key_reader{found}.read_text();
    return !result;
  });
  return result;
}

/// Returns what no key that begins with `text` is behind: the terminator of a
/// text ends in a zero byte.
bytes behind(std::string_view text) {
  bytes result{state_key{}.add(text).view()};
  result.back() = '\x01';
  return result;
}

} // namespace

bool has_available(const state_reader& state, std::string_view type) {
  return !first_keys(state, available_job_family, type, 1).empty();
}

std::vector<std::string> available_types(const state_reader& state,
                                         std::string_view prefix,
                                         std::string_view after,
                                         std::size_t types_max) {
  std::vector<std::string> result;
  // Without its terminator, a text is the beginning of those it begins.
  bytes from{state_key{}.add(prefix).view()};
  from.resize(from.size() - 2);
  from = std::max(from, after.empty() ? bytes(1, '\0') : behind(after));
  while (result.size() < types_max) {
    auto type = next_text(state, available_job_family, from);
    if (!type || !type->starts_with(prefix))
      break;
    from = behind(*type);
    result.push_back(std::move(*type));
  }
  return result;
}

std::vector<key> jobs_of_worker(const state_reader& state,
                                std::string_view worker, std::size_t jobs_max) {
  return first_keys(state, activated_job_family, worker, jobs_max);
}

std::vector<std::string>
workers_with_jobs(const state_reader& state,
                  const std::function<bool(std::string_view)>& wanted,
                  std::size_t workers_max) {
  std::vector<std::string> result;
  bytes from(1, '\0');
  while (result.size() < workers_max) {
    auto worker = next_text(state, activated_job_family, from);
    if (!worker)
      break;
    from = behind(*worker);
    if (wanted(*worker))
      result.push_back(std::move(*worker));
  }
  return result;
}

job_counts count_jobs(const state_reader& state, std::size_t visits_max) {
  job_counts result;
  result.jobs = state.count(job_family);
  result.available = state.count(available_job_family);
  result.activated = state.count(activated_job_family);
  result.failed = state.count(failed_job_family);
  // These have no index of their own but the due dates.
  const auto others = result.available + result.activated + result.failed;
  result.backing_off = result.jobs - std::min(result.jobs, others);
  std::size_t visits = 0;
  state.visit(available_job_family, bytes_view{"\0", 1},
              [&](bytes_view found, bytes_view) {
                if (visits == visits_max) {
                  result.cut = true;
                  return false;
                }
                ++visits;
                if (auto type = state_key_reader{found}.read_text())
                  ++result.available_by_type[*type];
                return true;
              });
  return result;
}

job_page list_jobs(const state_reader& state, key after,
                   const job_filter& filter, const query_limits& limits) {
  job_page page;
  const auto see = [&](key about, bytes_view body) {
    auto job = to_view(state, about, body);
    if (!job || !is_wanted(*job, filter))
      return false;
    page.jobs.push_back(std::move(*job));
    return true;
  };
  page.next_after = timers::visit_page(state, job_family, after, limits, see);
  return page;
}

v1::JobPage to_message(const job_page& page) {
  v1::JobPage result;
  for (const auto& job : page.jobs)
    *result.add_jobs() = to_message(job);
  if (page.next_after)
    result.set_next_after_key(page.next_after->value);
  return result;
}

v1::JobCounts to_message(const job_counts& counts) {
  v1::JobCounts result;
  for (const auto& [type, available] : counts.available_by_type) {
    auto* entry = result.add_types();
    entry->set_type(type);
    entry->set_available(available);
  }
  result.set_jobs(counts.jobs);
  result.set_available(counts.available);
  result.set_activated(counts.activated);
  result.set_backing_off(counts.backing_off);
  result.set_failed(counts.failed);
  result.set_cut(counts.cut);
  return result;
}

} // namespace gnomon::jobs
