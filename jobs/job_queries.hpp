// Questions about the jobs of one partition.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "gnomon/v1/query.pb.h"
#include "jobs/job_state.hpp"
#include "timers/paging.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::jobs {

using timers::query_limits;

/// Says whether a job of `type` waits for a worker.
bool has_available(const state_reader& state, std::string_view type);

/// Returns up to `types_max` types behind `after` that begin with `prefix` and
/// have jobs that wait for a worker, in the order of their names. Costs one
/// visit for each type, not for each job.
std::vector<std::string> available_types(const state_reader& state,
                                         std::string_view prefix,
                                         std::string_view after,
                                         std::size_t types_max);

/// Returns up to `jobs_max` jobs that `worker` has, oldest first: what must be
/// timed out once the worker is lost.
std::vector<key> jobs_of_worker(const state_reader& state,
                                std::string_view worker, std::size_t jobs_max);

/// Returns up to `workers_max` workers that have jobs and that `wanted` says
/// yes to, in the order of their ids. Costs one visit for each worker, not for
/// each job. After a restart, `wanted` says yes to ids that do not carry the
/// current incarnation of this node.
std::vector<std::string>
workers_with_jobs(const state_reader& state,
                  const std::function<bool(std::string_view)>& wanted,
                  std::size_t workers_max);

/// How many jobs wait, and what for.
struct job_counts {
  std::map<std::string, std::uint64_t> available_by_type;

  /// All jobs: the sum of the four below.
  std::uint64_t jobs = 0;

  std::uint64_t available = 0;
  std::uint64_t activated = 0;
  std::uint64_t backing_off = 0;
  std::uint64_t failed = 0;

  /// `visits_max` was reached: the counts by type cover only a part.
  bool cut = false;
};

job_counts count_jobs(const state_reader& state, std::size_t visits_max);

/// A job as an operator sees it. Plain value.
struct job_view {
  gnomon::key key;
  std::string type;
  job_phase phase = job_phase::available;

  /// Number of the last activation; 0: none yet.
  std::uint32_t activation = 0;

  /// How often it may still fail.
  std::uint32_t retries = 0;

  /// How often it has failed since it was created or its retries were updated.
  std::uint32_t failures = 0;

  /// Who has it; empty: nobody.
  std::string worker;

  /// Of the activation, if a worker has it.
  std::optional<timestamp> deadline;

  /// When its back-off is over, if it is backing off.
  std::optional<timestamp> back_off_due;

  /// What it waits for, if it has failed.
  gnomon::key incident;

  /// The timer and its occurrence that made it, if any.
  gnomon::key timer_key;
  std::uint64_t occurrence = 0;

  std::uint64_t payload_bytes = 0;

  friend bool operator==(const job_view&, const job_view&) = default;
};

/// Some jobs, oldest first.
struct job_page {
  std::vector<job_view> jobs;

  /// Pass it as `after` to go on; none if there are no more.
  std::optional<key> next_after;
};

/// Which jobs to list.
struct job_filter {
  /// Only this one, unless empty.
  std::string type = {};

  std::optional<job_phase> phase = {};
};

/// Lists jobs with a key behind `after`. A page may hold fewer than it could,
/// even none, and still name a next one.
job_page list_jobs(const state_reader& state, key after,
                   const job_filter& filter, const query_limits& limits);

v1::JobPage to_message(const job_page& page);

v1::JobCounts to_message(const job_counts& counts);

} // namespace gnomon::jobs
