// A partition as an actor: its messages, its typed handle, and how to spawn it
// and its workers.

#pragma once

#include "gnomon/actors/caf_compat.hpp"
#include "gnomon/commands.hpp"
#include "gnomon/errc.hpp"
#include "gnomon/export_messages.hpp"
#include "gnomon/partition_options.hpp"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/query.pb.h"
#include "gnomon/v1/wire.pb.h"
#include "gnomon/wire_bytes.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gnomon {

// -- messages -----------------------------------------------------------------

/// Asks a partition to process commands; bytes of `v1::SubmitRequest`.
struct submit : wire_bytes {};

/// Answers `submit`, once everything in it is durable; `v1::SubmitReply`.
struct submit_reply : wire_bytes {};

/// Asks about the state of a partition; bytes of `v1::Query`.
struct query : wire_bytes {};

/// Answers `query`; bytes of `v1::QueryReply`.
struct query_reply : wire_bytes {};

/// Pauses, resumes, closes ...; bytes of `v1::ControlRequest`.
struct control : wire_bytes {};

/// Answers `control`; bytes of `v1::ControlReply`.
struct control_reply : wire_bytes {};

/// Asks for jobs; bytes of `v1::SubscribeRequest`.
struct subscribe : wire_bytes {};

/// Answers `subscribe`; bytes of `v1::SubscribeReply`.
struct subscribe_reply : wire_bytes {};

/// Asks for some jobs, and waits for them; bytes of `v1::ActivateRequest`.
struct activate_jobs : wire_bytes {};

/// Answers `activate_jobs`; bytes of `v1::Jobs`. None: none came while it
/// waited.
struct activate_jobs_reply : wire_bytes {};

/// Hands jobs to a worker; bytes of `v1::Jobs`. Not answered: the worker
/// submits JOB COMPLETE for each.
struct job_push : wire_bytes {};

/// Tells what `spawn_worker` or `spawn_sender` has spawned to take no more
/// jobs, to finish those it has, and to end. Without content.
struct drain : wire_bytes {};

// -- handles ------------------------------------------------------------------

/// Interface of a worker: takes pushed jobs.
struct worker_trait {
  using signatures = type_list<caf::result<void>(job_push)>;
};

using worker = typed_actor<worker_trait>;

/// Interface of a partition.
///
/// `activate_jobs` is answered as soon as jobs of the type could be activated,
/// oldest first, or without any once it has waited long enough. Whoever asked
/// must submit JOB COMPLETE or another answer for each job; once it ends, its
/// jobs are offered to others at once.
///
/// Errors of requests: `errc::unavailable` while it is failed or closes;
/// `errc::resource_exhausted` if too much is in flight; `errc::io_error` if the
/// outcome is unknown; `errc::invalid_argument` for bytes it cannot read.
struct partition_trait {
  using signatures
    = type_list<caf::result<submit_reply>(submit),
                caf::result<query_reply>(query),
                caf::result<control_reply>(control),
                caf::result<subscribe_reply>(subscribe, worker),
                caf::result<activate_jobs_reply>(activate_jobs),
                caf::result<attach_reply>(attach_exporter, exporter)>;
};

using partition = typed_actor<partition_trait>;

// -- spawning -----------------------------------------------------------------

/// Returns the default options with what the configuration says in the section
/// `gnomon`: `yield-budget`, `resolution`, `job-timeout`. With CAF 0.17, a file
/// or a command line says it only if `module::add_module_options` was called.
partition_options configured_options(const caf::actor_system_config& cfg);

/// Spawns the actor of the partition in `options.directory`.
///
/// It opens in the background; requests wait until then, up to `in_flight_max`
/// of them, but for queries of the status, which are answered always. It ends
/// with an exit message, with the system, or with
/// `v1::CONTROL_OPERATION_CLOSE`, each of which closes the directory cleanly.
/// To open the directory again in this process, close it by request first: a
/// down message may arrive before the directory is closed.
/// @pre `gnomon::module` is loaded into `system`.
partition spawn_partition(caf::actor_system& system, partition_options options);

/// A job as a callback sees it.
struct job {
  gnomon::key key = {};
  std::uint32_t activation = 0;

  /// The timer that made it (none for others), which of its occurrences, and
  /// when that was due. (timer, occurrence) recognises a job handed over again.
  gnomon::key timer = {};
  std::uint64_t occurrence = 0;
  timestamp due = {};

  std::string type = {};
  bytes payload = {};

  /// How often it may still fail, this time included.
  std::uint32_t retries = 0;

  /// Asks the partition for so much time from now on; to be called by the
  /// callback only. It returns at once. If the job has been given to somebody
  /// else meanwhile, nothing happens.
  std::function<void(duration)> extend_timeout = {};
};

struct worker_options {
  /// Jobs the worker has at once.
  std::uint32_t capacity = 32;

  /// 0 means the default of the partition.
  duration job_timeout{0};

  /// Runs the callback on a thread of its own; for callbacks that block.
  bool detached = false;

  /// Jobs that the callback works on at once; with more than one, by as many
  /// actors (with `detached`: threads), so that it must be safe to call from
  /// several threads.
  std::uint32_t concurrency = 1;

  /// Of jobs whose callback has thrown; none means as the creator of the job
  /// said.
  std::optional<gnomon::back_off> back_off = {};
};

/// Spawns a worker that calls `work` for each job of `type` (if that ends in
/// `*`: of each type that begins so) and completes the job with the bytes it
/// returns. Delivery is at least once. It subscribes again when the partition
/// has been unavailable, and ends with the partition or behind a `drain`.
/// If `work` throws, the job fails with the message of the exception: it costs
/// a retry, and the job is offered again once its back-off is over. An answer
/// that the partition could not take is repeated until it can.
/// @pre `capacity` and `concurrency` are above 0.
caf::actor spawn_worker(caf::actor_system& system, partition from,
                        std::string type, std::function<bytes(const job&)> work,
                        worker_options options = {});

/// Sends `drain` to a worker or a sender. Its end, which a monitor tells, is
/// the end of its jobs.
void drain_worker(caf::actor_system& system, const caf::actor& whom);

// -- building requests --------------------------------------------------------

/// Builds a request of several commands.
submit make_submit(const std::vector<v1::Command>& commands);

/// Builds a request of one command, e.g., of a `create_timer`.
template <class Command>
submit make_submit(const Command& command) {
  return make_submit(std::vector<v1::Command>{to_command(command)});
}

control make_control(v1::ControlOperation operation);

/// Builds a request for jobs.
/// @param wait         At most a minute.
/// @param job_timeout  0 means the default of the partition.
activate_jobs make_activate_jobs(std::string type, std::uint32_t jobs_max,
                                 duration wait,
                                 duration job_timeout = duration{0});

/// Returns the jobs in an answer, none if it cannot be read. They have no
/// `extend_timeout`: submit an `update_job_timeout`.
std::vector<job> jobs_of(const activate_jobs_reply& from);

query make_query(const v1::Query& question);

} // namespace gnomon

// -- type ids -----------------------------------------------------------------

CAF_BEGIN_TYPE_ID_BLOCK(gnomon, GNOMON_FIRST_TYPE_ID)

CAF_ADD_TYPE_ID(gnomon, (gnomon::errc))
CAF_ADD_TYPE_ID(gnomon, (gnomon::submit))
CAF_ADD_TYPE_ID(gnomon, (gnomon::submit_reply))
CAF_ADD_TYPE_ID(gnomon, (gnomon::query))
CAF_ADD_TYPE_ID(gnomon, (gnomon::query_reply))
CAF_ADD_TYPE_ID(gnomon, (gnomon::control))
CAF_ADD_TYPE_ID(gnomon, (gnomon::control_reply))
CAF_ADD_TYPE_ID(gnomon, (gnomon::subscribe))
CAF_ADD_TYPE_ID(gnomon, (gnomon::subscribe_reply))
CAF_ADD_TYPE_ID(gnomon, (gnomon::job_push))
CAF_ADD_TYPE_ID(gnomon, (gnomon::worker))
CAF_ADD_TYPE_ID(gnomon, (gnomon::partition))
CAF_ADD_TYPE_ID(gnomon, (gnomon::activate_jobs))
CAF_ADD_TYPE_ID(gnomon, (gnomon::activate_jobs_reply))
CAF_ADD_TYPE_ID(gnomon, (gnomon::drain))

CAF_END_TYPE_ID_BLOCK(gnomon)

GNOMON_ERROR_CODE_ENUM(gnomon::errc, "gnomon")
