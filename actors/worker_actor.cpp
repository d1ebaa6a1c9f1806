#include "actors/worker_actor.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace gnomon {

namespace {

constexpr caf::timespan retry_delay = std::chrono::milliseconds{500};
constexpr caf::timespan request_timeout = std::chrono::seconds{60};

/// Finished work waits at most about so long for the work behind it.
constexpr std::chrono::milliseconds gathering_max{1};

// Of one request. One more job may push it above the bytes.
constexpr std::size_t answers_max = 1'000;
constexpr std::size_t answer_bytes_max = 1024 * 1024;

/// Says whether the partition may take later what it did not take with `code`.
bool may_pass(errc code) {
  switch (code) {
  case errc::none:
  case errc::invalid_argument:
  case errc::exceeded_batch_size:
    return false;
  default:
    return true;
  }
}

/// Says whether `said` refuses a result for what it is.
bool is_bad_result(const v1::Answer& said) {
  return said.error_code() != 0
         || said.outcome().rejection_type()
              == v1::REJECTION_TYPE_INVALID_ARGUMENT
         || said.outcome().rejection_type()
              == v1::REJECTION_TYPE_EXCEEDED_BATCH_SIZE;
}

/// Returns the FAIL for a job whose COMPLETE the partition never takes.
v1::Command failure_for(const v1::Command& refused, const v1::Answer& said) {
  v1::CompleteJob value;
  value.ParseFromString(refused.value());
  const auto& why = said.error_code() != 0 ? said.error_context()
                                           : said.outcome().rejection_reason();
  return to_command(fail_job{.key = {refused.key()},
                             .activation = value.activation(),
                             .message = "its result was refused: " + why});
}

bool is_completion(const v1::Command& command) {
  return command.intent() == v1::JOB_INTENT_COMPLETE;
}

/// Takes as many from the front of `from` as fit into one request.
std::vector<v1::Command> take_request(std::vector<v1::Command>& from) {
  const auto last
    = from.begin()
      + static_cast<std::ptrdiff_t>(std::min(from.size(), answers_max));
  std::size_t request_bytes = 0;
  auto end = from.begin();
  while (end != last && request_bytes < answer_bytes_max)
    request_bytes += (end++)->value().size();
  std::vector<v1::Command> result{std::make_move_iterator(from.begin()),
                                  std::make_move_iterator(end)};
  from.erase(from.begin(), end);
  return result;
}

} // namespace

worker_actor::worker_actor(caf::actor_config& cfg, partition from,
                           v1::SubscribeRequest wanted)
  : worker_impl::base(cfg), from_(std::move(from)), wanted_(std::move(wanted)) {
  GNOMON_CHECK(wanted_.capacity() > 0);
}

worker_actor::behavior_type worker_actor::make_behavior() {
  on_down(this, from_,
          [this](const caf::actor_addr&, const caf::error&) { quit(); });
  subscribe_to_jobs();
  return {
    [this](const job_push& pushed) -> caf::result<void> {
      take_in(pushed);
      return caf::unit;
    },
    [this](go_on) -> caf::result<void> {
      work_on();
      return caf::unit;
    },
    [this](submit_gathered) -> caf::result<void> {
      submit_answers();
      return caf::unit;
    },
    [this](resubscribe) -> caf::result<void> {
      subscribe_to_jobs();
      return caf::unit;
    },
    [this](answer_again) -> caf::result<void> {
      std::ranges::move(std::exchange(refused_, {}),
                        std::back_inserter(answers_));
      submit_answers();
      return caf::unit;
    },
    [this](const drain&) -> caf::result<void> {
      drain_now();
      return caf::unit;
    },
  };
}

void worker_actor::on_exit() {
  from_ = nullptr;
}

// -- taking -------------------------------------------------------------------

void worker_actor::subscribe_to_jobs() {
  if (is_draining_)
    wanted_.set_capacity(0);
  mail_as(this, subscribe{{wire_version, wanted_.SerializeAsString()}},
          worker{worker_impl{this}})
    .request(from_, request_timeout)
    .then(
      [](const subscribe_reply&) {},
      [this](const caf::error&) {
        mail_as(this, resubscribe{}).delay(retry_delay).send(worker_impl{this});
      });
}

void worker_actor::take_in(const job_push& pushed) {
  v1::Jobs content;
  // With a drain, an activation was under way; others get what it has handed
  // over as soon as this one ends.
  if (is_draining_ || pushed.version != wire_version
      || !content.ParseFromString(pushed.content))
    return;
  held_ += static_cast<std::size_t>(content.jobs_size());
  const auto is_working = !waiting_.empty();
  std::ranges::move(*content.mutable_jobs(), std::back_inserter(waiting_));
  if (!is_working)
    work_on();
}

void worker_actor::work_on() {
  const auto& clock = system().clock();
  const auto until = clock.now() + gathering_max;
  is_gathering_ = true;
  while (!waiting_.empty()) {
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    take(std::move(next));
    if (clock.now() >= until)
      break;
  }
  submit_answers();
  if (!waiting_.empty())
    mail_as(this, go_on{}).send(worker_impl{this});
}

// -- answers ------------------------------------------------------------------

void worker_actor::answer(v1::Command what) {
  answers_.push_back(std::move(what));
  if (is_gathering_)
    return;
  // Others may have come to an end as well.
  is_gathering_ = true;
  mail_as(this, submit_gathered{}).send(worker_impl{this});
}

void worker_actor::submit_answers() {
  is_gathering_ = false;
  while (!answers_.empty())
    submit_request(take_request(answers_));
}

void worker_actor::submit_request(commands what) {
  auto request = make_submit(what);
  mail_as(this, std::move(request))
    .request(from_, caf::infinite)
    .then(
      [this, what](const submit_reply& reply) {
        v1::SubmitReply content;
        if (!content.ParseFromString(reply.content)
            || content.answers_size() != static_cast<int>(what.size()))
          content.mutable_answers()->Clear();
        for (int i = 0; i < static_cast<int>(what.size()); ++i)
          judge(what[static_cast<std::size_t>(i)],
                content.answers_size() > 0 ? content.answers(i) : v1::Answer{});
      },
      [this, what](const caf::error&) {
        for (const auto& each : what)
          answer_later(each);
      });
}

void worker_actor::judge(v1::Command what, const v1::Answer& said) {
  if (may_pass(static_cast<errc>(said.error_code())))
    return answer_later(std::move(what));
  if (is_completion(what) && is_bad_result(said))
    return answer(failure_for(what, said));
  answered();
}

void worker_actor::answer_later(v1::Command what) {
  refused_.push_back(std::move(what));
  if (refused_.size() == 1)
    mail_as(this, answer_again{}).delay(retry_delay).send(worker_impl{this});
}

void worker_actor::answered() {
  GNOMON_CHECK(held_ > 0);
  --held_;
  end_when_drained();
}

// -- draining -----------------------------------------------------------------

void worker_actor::drain_now() {
  if (is_draining_)
    return;
  is_draining_ = true;
  subscribe_to_jobs();
  end_when_drained();
}

void worker_actor::end_when_drained() {
  if (is_draining_ && held_ == 0)
    quit();
}

} // namespace gnomon
