// Calls a function for a job, and makes an answer of what comes of it.

#pragma once

#include "actors/private_messages.hpp"

#include <functional>

namespace gnomon {

using job_callback = std::function<bytes(const job&)>;

/// Calls `work`. @returns JOB COMPLETE with what it returned; JOB FAIL with the
/// message if it threw.
/// @param from  Where the job is from, without `extend_timeout`.
v1::Command run_callback(const job_callback& work, const job& from,
                         const worker_options& options);

job to_job(const v1::Job& from);

/// Returns a function that asks `from` for more time for a job, as `self`.
/// Valid while `self` is.
template <class Self>
std::function<void(duration)> make_extender(Self* self, const partition& from,
                                            const v1::Job& about) {
  const key whose{about.key()};
  const auto activation = about.activation();
  return [self, &from, whose, activation](duration timeout) {
    mail_as(self, make_submit(update_job_timeout{whose, activation, timeout}))
      .request(from, caf::infinite)
      .then([](const submit_reply&) {}, [](const caf::error&) {});
  };
}

/// Calls the callback of a worker for one job after the other. Ends with the
/// worker.
class job_runner : public runner_handle::base {
public:
  job_runner(caf::actor_config& cfg, partition from, job_callback work,
             worker_options options);

  behavior_type make_behavior() override;

  const char* name() const override;

  void on_exit() override;

private:
  partition from_;
  job_callback work_;
  worker_options options_;
};

} // namespace gnomon
