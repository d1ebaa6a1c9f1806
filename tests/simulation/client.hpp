// Those who use a partition: send commands, take answers, work on jobs.

#pragma once

#include "engine/effect.hpp"
#include "gnomon/record.hpp"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/partition.pb.h"
#include "tests/simulation/log_model.hpp"
#include "tests/simulation/trace.hpp"
#include "tests/support/seeded_random.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::simulation {

/// Draws commands and judges what comes back.
class client {
public:
  /// Types of jobs there are.
  static constexpr std::array<const char*, 2> job_types{"a", "b"};

  /// @param log  Borrowed, and so is `to`.
  client(trace& to, const log_model& log, std::uint64_t seed);

  /// Returns the next command.
  record draw();

  /// Returns what a worker says about a job that it has, or had.
  std::optional<record> draw_answer();

  void sent(std::uint64_t request, record command) {
    pending_[request] = std::move(command);
  }

  void answered(const engine::reply& what);

  void pushed(const engine::delivery& what);

  void pushed(const std::string& worker, const v1::Job& job);

  /// Nothing that is pending will be answered any more.
  void hang_up() {
    pending_.clear();
  }

  /// Returns completions of all jobs that workers have, and what an operator
  /// does about those that have failed.
  std::vector<record> finish_all();

  std::size_t pending() const {
    return pending_.size();
  }

private:
  struct held_job {
    key about;
    std::uint32_t activation = 0;
  };

  record draw_create();

  record draw_cancel();

  record draw_reschedule();

  record draw_repeat();

  record draw_operator();

  void hold(const held_job& job);

  /// Returns a timer that waits, or one that does not.
  key draw_timer();

  void judge(const record& asked, const record& answer);

  void judge_repeat(const record& asked, const record& answer);

  trace* trace_;
  const log_model* log_;
  test::seeded_random random_;
  std::map<std::uint64_t, record> pending_;
  std::vector<held_job> held_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> pushed_;

  /// Commands that were sent with an idempotency key, to be sent again.
  std::vector<record> repeatable_;
  std::map<std::string, position> answers_;
};

/// Returns the record that a partition makes of a command.
record to_record(const v1::Command& from);

} // namespace gnomon::simulation
