// Random commands to jobs, checked against a model of them.

#pragma once

#include "tests/jobs/job_fixture.hpp"

#include <map>
#include <random>

namespace gnomon::testing {

/// What a job should be, in the simplest terms.
struct model_job {
  std::string type;
  std::uint32_t activation = 0;
  std::uint32_t retries = 0;
  std::uint32_t failures = 0;
  jobs::job_phase phase = jobs::job_phase::available;
  std::string worker = {};
  timestamp due = {};
  key incident = {};
};

/// Sends random commands; half of the jobs come from timers.
class job_story {
public:
  explicit job_story(std::uint64_t seed) : random_(seed) {
    // nop
  }

  /// Checks the model after each step, and that nothing is left in the end.
  void run(int steps);

private:
  using outcome_list = std::vector<record>;

  void step();
  void answer();
  void operate();

  void create();
  void create_by_timer();
  void activate();
  void complete();
  void fail();
  void throw_error();
  void time_out();
  void recur();
  void update_retries();
  void update_timeout();
  void cancel();
  void resolve();
  void pass_time();

  void check();
  void check_job(key about, const model_job& expected);
  void end();

  void insert(key about, std::string type, std::uint32_t retries);

  /// Returns the job `about` of the model. If it is not there, or `phase` is
  /// another one, expects that `outcome` says so and returns nothing.
  model_job* expect_in(const outcome_list& outcome, key about,
                       std::optional<jobs::job_phase> phase);

  /// As above, for an answer to `activation`.
  model_job* expect_activation(const outcome_list& outcome, key about,
                               std::uint32_t activation);

  std::uint64_t below(std::uint64_t bound) {
    return random_() % bound;
  }

  std::string some_type() {
    return below(2) == 0 ? "mail" : "call";
  }

  std::string some_worker() {
    return "worker " + std::to_string(below(3));
  }

  /// Mostly of a job that is there; else one that was, or never was.
  key some_key();

  /// Mostly the present one of `about`.
  std::uint32_t some_activation(key about);

  std::mt19937_64 random_;
  job_partition partition_;
  timestamp now_ = start;
  std::uint64_t counter_ = 0;
  std::map<key, model_job> model_;
};

} // namespace gnomon::testing
