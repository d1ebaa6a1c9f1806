// What must be true of jobs, told again in the plainest way.

#pragma once

#include "gnomon/record.hpp"
#include "tests/simulation/timer_model.hpp"
#include "tests/simulation/trace.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace gnomon::simulation {

/// A job that is not completed.
struct modelled_job {
  enum class phase { available, activated, backing_off, failed };

  std::string type;
  phase now = phase::available;
  std::uint32_t activation = 0;
  std::uint32_t retries = 0;

  /// Who has it, if it is activated.
  std::string worker;

  /// End of the activation or of the back-off.
  timestamp due;
};

/// Takes the events of jobs and of their incidents in the order of the log.
class job_model {
public:
  /// @param timers  Borrowed.
  job_model(trace& to, const timer_model& timers)
    : trace_(&to), timers_(&timers) {
    // nop
  }

  void apply(const record& event);

  void apply_incident(const record& event);

  /// Incident -> job, of incidents that are not resolved.
  const std::map<std::uint64_t, std::uint64_t>& incidents() const {
    return incidents_;
  }

  const std::map<std::uint64_t, modelled_job>& open() const {
    return open_;
  }

  /// Says whether the job was ever given to `worker` under that number.
  bool was_activated(std::uint64_t job, std::uint32_t activation,
                     const std::string& worker) const;

private:
  using jobs = std::map<std::uint64_t, modelled_job>;

  void created(const record& event);

  void activated(const record& event);

  void completed(const record& event);

  void timed_out(const record& event);

  void failed(const record& event);

  void recurred(const record& event);

  void error_thrown(const record& event);

  void retries_updated(const record& event);

  void timeout_updated(const record& event);

  void canceled(const record& event);

  void incident_created(const record& event);

  void incident_resolved(const record& event);

  jobs::iterator require(const record& event);

  /// As above; it must have been activated under that number.
  jobs::iterator require_activation(const record& event,
                                    std::uint32_t activation);

  void breach(const record& event, const std::string& what);

  trace* trace_;
  const timer_model* timers_;
  jobs open_;
  std::map<std::uint64_t, std::uint64_t> incidents_;
  std::set<std::uint64_t> known_;

  /// (timer, occurrence) of all jobs.
  std::set<std::pair<std::uint64_t, std::uint64_t>> causes_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::string> activations_;
};

} // namespace gnomon::simulation
