// Messages and interfaces that the library's own actors use among themselves.
// None of them leaves the process.

#pragma once

#include "gnomon/partition.hpp"
#include "timers/next_due_reference.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace gnomon {

/// Work that blocks, done by a disk actor for the one that asks. None ends the
/// disk actor.
struct disk_task {
  std::shared_ptr<const std::function<void()>> work;
};

/// Tells a partition to look for what is due.
struct trigger_due {
  timestamp due;
};

/// Continues processing behind what waits in the mailbox already.
struct proceed {
  std::uint8_t unused = 0;
};

/// Makes a failed partition open again.
struct reopen {
  std::uint8_t unused = 0;
};

/// Ends the wait of an `activate_jobs`.
struct poll_over {
  std::string worker;
};

/// Makes a partition send to an exporter again that has refused a batch.
struct resume_export {
  std::string name;
};

/// Tells the timer actor that a reference has become sooner.
struct wake {
  std::uint8_t unused = 0;
};

/// Wakes the timer actor up; one that is not the newest means nothing.
struct alarm {
  std::uint64_t generation = 0;
};

template <class Inspector>
auto inspect(Inspector& f, trigger_due& x) {
  return inspect_fields(f, x, "gnomon::trigger_due", field{"due", x.due.value});
}

template <class Inspector>
auto inspect(Inspector& f, proceed& x) {
  return inspect_fields(f, x, "gnomon::proceed", field{"unused", x.unused});
}

template <class Inspector>
auto inspect(Inspector& f, reopen& x) {
  return inspect_fields(f, x, "gnomon::reopen", field{"unused", x.unused});
}

template <class Inspector>
auto inspect(Inspector& f, poll_over& x) {
  return inspect_fields(f, x, "gnomon::poll_over", field{"worker", x.worker});
}

template <class Inspector>
auto inspect(Inspector& f, resume_export& x) {
  return inspect_fields(f, x, "gnomon::resume_export", field{"name", x.name});
}

template <class Inspector>
auto inspect(Inspector& f, wake& x) {
  return inspect_fields(f, x, "gnomon::wake", field{"unused", x.unused});
}

template <class Inspector>
auto inspect(Inspector& f, alarm& x) {
  return inspect_fields(f, x, "gnomon::alarm",
                        field{"generation", x.generation});
}

/// A partition, with what it sends itself and gets from the timer actor.
struct partition_impl_trait {
  using signatures
    = type_list<caf::result<submit_reply>(submit),
                caf::result<query_reply>(query),
                caf::result<control_reply>(control),
                caf::result<subscribe_reply>(subscribe, worker),
                caf::result<activate_jobs_reply>(activate_jobs),
                caf::result<void>(poll_over), caf::result<void>(trigger_due),
                caf::result<void>(proceed), caf::result<void>(reopen),
                caf::result<attach_reply>(attach_exporter, exporter),
                caf::result<void>(resume_export)>;
};

using partition_impl = typed_actor<partition_impl_trait>;

/// Makes the timer actor watch the reference of a partition, or stop.
struct watch_reference {
  partition_impl whom;
  std::shared_ptr<timers::next_due_reference> reference;
  bool is_over = false;
};

struct timer_trait {
  using signatures
    = type_list<caf::result<void>(watch_reference), caf::result<void>(wake),
                caf::result<void>(alarm)>;
};

using timer_handle = typed_actor<timer_trait>;

/// Runs tasks one after the other and answers each when it is done.
struct disk_trait {
  using signatures = type_list<caf::result<void>(disk_task)>;
};

using disk_handle = typed_actor<disk_trait>;

/// What a worker tells itself: to subscribe again.
struct resubscribe {
  std::uint8_t unused = 0;
};

/// What a worker tells itself: to submit what the partition did not take.
struct answer_again {
  std::uint8_t unused = 0;
};

/// What a worker tells itself: to work on what it was handed.
struct go_on {
  std::uint8_t unused = 0;
};

/// What a worker tells itself: to submit the answers it has by now.
struct submit_gathered {
  std::uint8_t unused = 0;
};

/// Lets a runner call the callback of a worker.
struct run_job {
  std::shared_ptr<const v1::Job> what;
};

/// What the callback has led to: JOB COMPLETE or FAIL.
struct job_answer {
  std::shared_ptr<const v1::Command> what;
};

template <class Inspector>
auto inspect(Inspector& f, resubscribe& x) {
  return inspect_fields(f, x, "gnomon::resubscribe", field{"unused", x.unused});
}

template <class Inspector>
auto inspect(Inspector& f, answer_again& x) {
  return inspect_fields(f, x, "gnomon::answer_again",
                        field{"unused", x.unused});
}

template <class Inspector>
auto inspect(Inspector& f, go_on& x) {
  return inspect_fields(f, x, "gnomon::go_on", field{"unused", x.unused});
}

template <class Inspector>
auto inspect(Inspector& f, submit_gathered& x) {
  return inspect_fields(f, x, "gnomon::submit_gathered",
                        field{"unused", x.unused});
}

/// A worker, with what it sends itself.
struct worker_impl_trait {
  using signatures
    = type_list<caf::result<void>(job_push), caf::result<void>(go_on),
                caf::result<void>(submit_gathered),
                caf::result<void>(resubscribe), caf::result<void>(answer_again),
                caf::result<void>(drain)>;
};

using worker_impl = typed_actor<worker_impl_trait>;

struct runner_trait {
  using signatures = type_list<caf::result<job_answer>(run_job)>;
};

using runner_handle = typed_actor<runner_trait>;

/// What an exporter tells itself: to attach again.
struct reattach {
  std::uint8_t unused = 0;
};

template <class Inspector>
auto inspect(Inspector& f, reattach& x) {
  return inspect_fields(f, x, "gnomon::reattach", field{"unused", x.unused});
}

struct exporter_impl_trait {
  using signatures = type_list<caf::result<export_reply>(export_batch),
                               caf::result<void>(exporter_detached),
                               caf::result<void>(reattach)>;
};

using exporter_impl = typed_actor<exporter_impl_trait>;

} // namespace gnomon

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gnomon::disk_task)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gnomon::watch_reference)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gnomon::run_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gnomon::job_answer)

CAF_BEGIN_TYPE_ID_BLOCK(gnomon_private, GNOMON_FIRST_TYPE_ID + 30)

CAF_ADD_TYPE_ID(gnomon_private, (gnomon::disk_task))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::watch_reference))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::trigger_due))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::proceed))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::reopen))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::wake))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::alarm))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::resubscribe))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::partition_impl))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::timer_handle))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::disk_handle))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::worker_impl))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::poll_over))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::answer_again))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::go_on))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::submit_gathered))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::run_job))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::job_answer))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::runner_handle))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::resume_export))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::reattach))
CAF_ADD_TYPE_ID(gnomon_private, (gnomon::exporter_impl))

CAF_END_TYPE_ID_BLOCK(gnomon_private)
