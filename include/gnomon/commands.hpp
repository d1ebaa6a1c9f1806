// Commands as a C++ programme writes them, and what they become on the wire.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/timestamp.hpp"
#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/timer.pb.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace gnomon {

/// When a timer is due: an instant, a delay from the time the command is
/// processed, or an expression (see `gnomon::recurrence`).
using due_when = std::variant<timestamp, duration, std::string>;

/// Creates a timer. Answered by TIMER CREATED with its key and due date.
struct create_timer {
  due_when when = {};

  /// Type of the job that appears when it triggers; may be empty.
  std::string target = {};

  /// Handed to the worker as it is.
  bytes payload = {};

  v1::CatchUp catch_up = v1::CATCH_UP_EVERY;

  /// Of the job; 0 means the default.
  std::uint32_t retries = 0;

  /// Unique among the waiting timers of the partition, unless empty.
  std::string name = {};

  /// Zone of an expression that names none; empty means UTC.
  std::string zone = {};

  bool cron_five_fields = false;

  /// A repeat of the command with the same one gets the first answer.
  std::string idempotency_key = {};
};

/// Removes a waiting timer, found by its key or else by its name.
struct cancel_timer {
  gnomon::key key = {};
  std::string name = {};
};

/// Gives a waiting timer a new schedule; it keeps its key.
struct reschedule_timer {
  gnomon::key key = {};
  due_when when = {};
  std::string name = {};
  std::string zone = {};
  bool cron_five_fields = false;
};

/// How long a failed job waits before it is offered again: `initial` after the
/// first failure, `factor` times as long after each further one, at most `max`.
struct back_off {
  duration initial{0};

  /// 1: always the same.
  std::uint32_t factor = 1;

  /// Zero means the limit of the partition.
  duration max{0};

  /// Up to so much is taken off, so that many that failed together come back
  /// apart; at most 100. Drawn from the key of the job, not by chance.
  std::uint32_t jitter_percent = 0;

  friend bool operator==(const back_off&, const back_off&) = default;
};

/// Creates a job that waits for a worker from now on. Answered by JOB CREATED
/// with its key.
struct create_job {
  std::string type = {};

  /// Handed to the worker as it is.
  bytes payload = {};

  /// How often it may fail until an operator is asked; 0 means the default.
  std::uint32_t retries = 0;

  /// Of failures whose worker says nothing else; none means the default.
  std::optional<gnomon::back_off> back_off = {};

  std::string idempotency_key = {};
};

/// Says that the work of a job is done.
struct complete_job {
  gnomon::key key = {};

  /// As it was pushed; a stale one is rejected.
  std::uint32_t activation = 0;

  bytes result = {};
};

/// How long a job waits: as its creator said, so long, or by a policy of the
/// worker.
using back_off_choice = std::variant<std::monostate, duration, back_off>;

/// Says that the work of a job could not be done this time. With no retries
/// left, an incident is raised.
struct fail_job {
  gnomon::key key = {};

  /// As it was pushed; a stale one is rejected.
  std::uint32_t activation = 0;

  /// For the operator; cut if it is long.
  std::string message = {};

  /// Left from now on; none means one fewer than before.
  std::optional<std::uint32_t> retries = {};

  back_off_choice back_off = {};
};

/// Says that the work of a job cannot be done for a reason of the business.
/// Nobody catches the error yet, so an incident is raised.
struct throw_error {
  gnomon::key key = {};
  std::uint32_t activation = 0;
  std::string code = {};
  std::string message = {};
};

/// Says how often a job may still fail. It does not offer a failed job again:
/// `resolve_incident` does.
struct update_job_retries {
  gnomon::key key = {};
  std::uint32_t retries = 0;
};

/// Gives the worker of a job until `timeout` from now.
struct update_job_timeout {
  gnomon::key key = {};

  /// A stale one is rejected; 0 means whichever it is.
  std::uint32_t activation = 0;

  duration timeout{0};
};

/// Removes a job, whatever it waits for, and its incident. Its worker, if it
/// has one, is told when it answers.
struct cancel_job {
  gnomon::key key = {};
};

/// Takes an incident back. If it is about a job, that must have retries, and
/// is offered again.
struct resolve_incident {
  gnomon::key key = {};
};

v1::Command to_command(const create_timer& from);

v1::Command to_command(const cancel_timer& from);

v1::Command to_command(const reschedule_timer& from);

v1::Command to_command(const create_job& from);

v1::Command to_command(const complete_job& from);

v1::Command to_command(const fail_job& from);

v1::Command to_command(const throw_error& from);

v1::Command to_command(const update_job_retries& from);

v1::Command to_command(const update_job_timeout& from);

v1::Command to_command(const cancel_job& from);

v1::Command to_command(const resolve_incident& from);

} // namespace gnomon
