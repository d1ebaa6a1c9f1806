// What clients and workers ask a partition actor, and how it answers.

#include "actors/partition_requests.hpp"

#include <google/protobuf/arena.h>

#include "partitions/state_queries.hpp"
#include <algorithm>
#include <limits>

namespace gnomon {

namespace {

bool fits_u16(std::uint32_t number) {
  return number <= std::numeric_limits<std::uint16_t>::max();
}

/// Takes the texts out of `from`.
result<record> to_record(v1::Command& from) {
  if (!fits_u16(from.value_type()) || !fits_u16(from.intent()))
    return {errc::invalid_argument,
            "read a command: expected a value type and an intent below 65536"};
  record command;
  command.record_type = record_type::command;
  command.key = {from.key()};
  command.value_type = static_cast<value_type>(from.value_type());
  command.intent = {static_cast<std::uint16_t>(from.intent())};
  command.value = std::move(*from.mutable_value());
  command.scope_key = {from.scope_key()};
  command.idempotency_key = std::move(*from.mutable_idempotency_key());
  return command;
}

} // namespace

// -- commands -----------------------------------------------------------------

caf::result<submit_reply> partition_actor::on_submit(submit& request) {
  // Lives and dies as one: a request has many small parts.
  auto arena = std::make_shared<google::protobuf::Arena>();
  const std::shared_ptr<v1::SubmitRequest> content{
    arena,
    google::protobuf::Arena::CreateMessage<v1::SubmitRequest>(arena.get())};
  if (!parse(request, *content))
    return unreadable("submit");
  auto to = make_response_promise<submit_reply>();
  when_open<submit_reply>(to, [this, content](promise<submit_reply> to) {
    take_in(*content, std::move(to));
  });
  return to;
}

void partition_actor::take_in(v1::SubmitRequest& request,
                              promise<submit_reply> to) {
  auto whose = requests_.begin(std::move(to), request.commands_size());
  for (int i = 0; i < request.commands_size(); ++i) {
    auto command = to_record(*request.mutable_commands(i));
    auto number = command ? core_->submit(std::move(*command))
                          : result<std::uint64_t>{command.error()};
    if (number)
      requests_.expect(*number, whose, i);
    else
      requests_.refuse(*whose, i, number.error());
  }
  // Behind what is in the mailbox already, so that one batch takes it all.
  proceed_later();
}

// -- queries ------------------------------------------------------------------

caf::result<query_reply> partition_actor::on_query(query& request) {
  auto question = std::make_shared<v1::Query>();
  if (!parse(request, *question))
    return unreadable("query");
  if (question->what_case() == v1::Query::kStatus) {
    v1::QueryReply reply;
    *reply.mutable_status() = status();
    return make_reply<query_reply>(reply);
  }
  if (question->what_case() == v1::Query::kMetrics) {
    v1::QueryReply reply;
    *reply.mutable_metrics() = metrics();
    *reply.mutable_metrics_status() = status();
    return make_reply<query_reply>(reply);
  }
  auto to = make_response_promise<query_reply>();
  when_open<query_reply>(to, [this, question](promise<query_reply> to) {
    if (partitions::is_long(*question))
      run_long_query(*question, std::move(to));
    else
      run_query(*question, std::move(to));
  });
  return to;
}

void partition_actor::run_query(const v1::Query& question,
                                promise<query_reply> to) {
  auto state = core_->view();
  auto reply = state ? partitions::answer(question, **state, core_->now())
                     : result<v1::QueryReply>{state.error()};
  if (reply)
    reply_to_query(std::move(to), *reply);
  else
    to.deliver(to_caf(reply.error()));
}

void partition_actor::run_long_query(const v1::Query& question,
                                     promise<query_reply> to) {
  auto opened = core_->view();
  if (!opened) {
    to.deliver(to_caf(opened.error()));
    return;
  }
  std::shared_ptr<state_reader> state{std::move(*opened)};
  auto reply = std::make_shared<std::optional<result<v1::QueryReply>>>();
  const auto at = core_->applied_position();
  run_beside(
    side_disk(),
    [state, question, reply, now = core_->now()]() mutable {
      reply->emplace(partitions::answer(question, *state, now));
      state = nullptr;
    },
    [this, to, reply, at]() mutable {
      if (!core_ || !**reply)
        to.deliver(to_caf(!core_ ? error{errc::io_error, "partition: failed"}
                                 : (*reply)->error()));
      else
        answer_when_durable(at, [to, reply](const error* why) mutable {
          if (why)
            to.deliver(to_caf(*why));
          else
            to.deliver(make_reply<query_reply>(***reply));
        });
    });
}

void partition_actor::reply_to_query(promise<query_reply> to,
                                     const v1::QueryReply& reply) {
  answer_when_durable(core_->applied_position(),
                      [to = std::move(to), answer = make_reply<query_reply>(
                                             reply)](const error* why) mutable {
                        if (why)
                          to.deliver(to_caf(*why));
                        else
                          to.deliver(std::move(answer));
                      });
}

void partition_actor::answer_when_durable(
  position after, std::function<void(const error*)> send) {
  if (after <= core_->durable_position()) {
    send(nullptr);
    return;
  }
  const auto place
    = std::ranges::upper_bound(deferred_, after, {}, &deferred_answer::after);
  deferred_.insert(place, {after, std::move(send)});
}

v1::Status partition_actor::status() const {
  v1::Status result;
  result.set_phase(core_ && core_->is_paused() ? v1::PHASE_PAUSED : phase_);
  result.set_partition_id(options_.id.value);
  result.set_yields(yields_);
  result.set_last_failure(last_failure_);
  result.set_next_due_ms(next_due_->peek().value_or(timestamp{}).value);
  if (!core_)
    return result;
  const auto now = core_->current_status();
  result.set_epoch(now.epoch);
  result.set_last_position(now.last.value);
  result.set_durable_position(now.durable.value);
  result.set_last_processed(now.last_processed.value);
  result.set_snapshot_position(now.snapshot.value);
  result.set_pending_commands(now.pending);
  result.set_in_flight(now.in_flight);
  result.set_clock_suspect(now.clock_suspect);
  result.set_commands(now.commands);
  result.set_batches(now.batches);
  result.set_syncs(now.syncs);
  result.set_workers(static_cast<std::uint32_t>(now.workers));
  result.set_log_bytes(now.log_bytes);
  exports_.describe(result);
  return result;
}

v1::Metrics partition_actor::metrics() {
  auto result = core_ ? core_->current_metrics() : v1::Metrics{};
  result.set_partition_id(options_.id.value);
  partitions::copy(requests_.acknowledgement_us(),
                   *result.mutable_acknowledgement_us());
  result.set_snapshots_failed(snapshots_failed_);
  result.set_failures(failures_);
  result.set_exporters_detached(exports_.detached_count());
  return result;
}

// -- control ------------------------------------------------------------------

caf::result<control_reply> partition_actor::on_control(control& request) {
  v1::ControlRequest content;
  if (!parse(request, content))
    return unreadable("control");
  auto to = make_response_promise<control_reply>();
  if (content.operation() == v1::CONTROL_OPERATION_CLOSE) {
    is_closing_ = true;
    close_waiters_.push_back(to);
    fail_polls({errc::unavailable, "partition: it is closing"});
    close_when_quiet();
    return to;
  }
  when_open<control_reply>(to, [this, content](promise<control_reply> to) {
    run_control(content, std::move(to));
  });
  return to;
}

void partition_actor::run_control(const v1::ControlRequest& request,
                                  promise<control_reply> to) {
  switch (request.operation()) {
  case v1::CONTROL_OPERATION_PAUSE:
    core_->pause();
    next_due_->withdraw();
    break;
  case v1::CONTROL_OPERATION_RESUME:
    core_->resume();
    proceed_later();
    break;
  case v1::CONTROL_OPERATION_CONFIRM_CLOCK:
    core_->confirm_clock();
    proceed_later();
    break;
  case v1::CONTROL_OPERATION_SNAPSHOT:
    snapshot_waiters_.push_back(std::move(to));
    if (!is_snapshotting_)
      start_snapshot();
    return;
  case v1::CONTROL_OPERATION_FORGET_EXPORTER:
    exports_.remove(request.exporter(), std::move(to));
    return;
  default:
    to.deliver(to_caf(
      {errc::invalid_argument, "control: expected a known operation, but found "
                                 + std::to_string(request.operation())}));
    return;
  }
  to.deliver(control_reply{});
}

// -- exporters ----------------------------------------------------------------

caf::result<attach_reply> partition_actor::on_attach(attach_exporter& request,
                                                     exporter& from) {
  v1::AttachExporter content;
  if (!parse(request, content))
    return unreadable("attach");
  if (!exporters::is_exporter_name(content.name()))
    return to_caf({errc::invalid_argument,
                   "attach: expected a name of 1 to 64 of a-z, 0-9, - and _, "
                   "but found \""
                     + content.name() + '"'});
  auto to = make_response_promise<attach_reply>();
  when_open<attach_reply>(to, [this, content, from](promise<attach_reply> to) {
    exports_.attach(content, from, std::move(to));
  });
  return to;
}

} // namespace gnomon
