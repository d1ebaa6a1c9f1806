// Which worker gets which jobs: proposes activations.

#pragma once

#include "gnomon/check.hpp"
#include "gnomon/record.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gnomon::partitions {

/// Knows the subscriptions of workers and proposes JOB ACTIVATE for those with
/// room while jobs of their type wait. It keeps no count of jobs: what a worker
/// has is read from the state, so a count cannot drift.
///
/// Workers of one type take turns, and so do types. A worker whose type ends in
/// `*` takes jobs of all types that begin with what stands before it.
///
/// Threads: one owner, the partition.
class job_dispatcher {
public:
  /// What a worker asked for.
  struct subscription {
    std::string type;
    std::uint32_t capacity = 0;
    duration timeout{0};

    /// Takes jobs once, however few: none any more while it has one.
    bool once = false;

    friend bool operator==(const subscription&, const subscription&) = default;
  };

  /// @param jobs_per_proposal_max  Above 0.
  explicit job_dispatcher(std::uint32_t jobs_per_proposal_max)
    : jobs_per_proposal_max_(jobs_per_proposal_max) {
    GNOMON_CHECK(jobs_per_proposal_max > 0);
  }

  /// Ids of workers begin with `epoch`, the incarnation of the partition: a
  /// subscription ends with it.
  void begin_epoch(std::uint64_t epoch);

  /// Adds a worker. @returns Its id, never used before.
  std::string add(subscription what);

  /// Replaces what a worker asked for; it keeps its jobs and its id.
  /// @pre There is one of that id, for the same type.
  void change(const std::string& worker, subscription what);

  /// Forgets a worker. @returns False if there is none of that id.
  bool remove(const std::string& worker);

  /// Returns the commands that activate waiting jobs for workers with room.
  /// Call it again once they have an outcome.
  std::vector<record> propose(const state_reader& state);

  /// Returns JOB TIME_OUT commands for all jobs of `worker`.
  static std::vector<record> time_out(const state_reader& state,
                                      const std::string& worker);

  /// Returns JOB TIME_OUT commands for all jobs of workers that are not
  /// subscribed now: those of earlier incarnations.
  std::vector<record> time_out_strangers(const state_reader& state) const;

  std::size_t size() const {
    return workers_.size();
  }

private:
  using worker_ids = std::vector<std::string>;

  void propose_exact(const state_reader& state, const std::string& type,
                     const worker_ids& ids, std::vector<record>& into) const;

  void propose_prefix(const state_reader& state, const std::string& pattern,
                      const worker_ids& ids, std::vector<record>& into);

  /// Returns how many jobs to propose for `worker` at once.
  std::uint32_t room_of(const state_reader& state,
                        const std::string& worker) const;

  record activation(const std::string& worker, const std::string& type,
                    std::uint32_t jobs_max) const;

  std::uint32_t jobs_per_proposal_max_;
  std::uint64_t epoch_ = 0;
  std::uint64_t last_number_ = 0;
  std::map<std::string, subscription> workers_;
  std::map<std::string, worker_ids> by_type_;

  /// By pattern: the type that got jobs last. The next ones are behind it.
  std::map<std::string, std::string> last_types_;
};

} // namespace gnomon::partitions
