// Commands as a C++ programme writes them, and what they become on the wire.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/timestamp.hpp"
#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/timer.pb.h"

#include <cstdint>
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

/// Says that the work of a job is done.
struct complete_job {
  gnomon::key key = {};

  /// As it was pushed; a stale one is rejected.
  std::uint32_t activation = 0;

  bytes result = {};
};

v1::Command to_command(const create_timer& from);

v1::Command to_command(const cancel_timer& from);

v1::Command to_command(const reschedule_timer& from);

v1::Command to_command(const complete_job& from);

} // namespace gnomon
