// The free functions of the public interface.

#include "actors/callback_worker.hpp"
#include "gnomon/check.hpp"
#include "gnomon/module.hpp"

#include <caf/raise_error.hpp>

namespace gnomon {

partition spawn_partition(caf::actor_system& system,
                          partition_options options) {
  auto* running = host::of(system);
  if (running == nullptr)
    CAF_RAISE_ERROR("gnomon::spawn_partition: gnomon::module is not loaded");
  return running->spawn_partition(std::move(options));
}

caf::actor spawn_worker(caf::actor_system& system, partition from,
                        std::string type, std::function<bytes(const job&)> work,
                        worker_options options) {
  GNOMON_CHECK(options.capacity > 0);
  GNOMON_CHECK(options.concurrency > 0);
  // With runners, it is they who block.
  const auto handle
    = options.detached && options.concurrency == 1
        ? system.spawn<callback_worker, caf::detached + caf::hidden>(
          std::move(from), std::move(type), std::move(work), options)
        : system.spawn<callback_worker, caf::hidden>(
          std::move(from), std::move(type), std::move(work), options);
  return caf::actor_cast<caf::actor>(handle);
}

void drain_worker(caf::actor_system& system, const caf::actor& whom) {
  caf::scoped_actor self{system};
  mail_as(self.ptr(), drain{}).send(whom);
}

submit make_submit(const std::vector<v1::Command>& commands) {
  v1::SubmitRequest request;
  for (const auto& command : commands)
    *request.add_commands() = command;
  return {{wire_version, request.SerializeAsString()}};
}

control make_control(v1::ControlOperation operation) {
  v1::ControlRequest request;
  request.set_operation(operation);
  return {{wire_version, request.SerializeAsString()}};
}

activate_jobs make_activate_jobs(std::string type, std::uint32_t jobs_max,
                                 duration wait, duration job_timeout) {
  v1::ActivateRequest request;
  request.set_type(std::move(type));
  request.set_jobs_max(jobs_max);
  request.set_wait_ms(wait.count());
  request.set_timeout_ms(job_timeout.count());
  return {{wire_version, request.SerializeAsString()}};
}

std::vector<job> jobs_of(const activate_jobs_reply& from) {
  v1::Jobs content;
  std::vector<job> result;
  if (from.version != wire_version || !content.ParseFromString(from.content))
    return result;
  for (const auto& each : content.jobs())
    result.push_back(to_job(each));
  return result;
}

query make_query(const v1::Query& question) {
  return {{wire_version, question.SerializeAsString()}};
}

} // namespace gnomon
