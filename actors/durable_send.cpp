#include "gnomon/durable_send.hpp"

#include "actors/caf_messages.hpp"
#include "actors/durable_send_actor.hpp"
#include "gnomon/check.hpp"
#include "gnomon/v1/durable_send.pb.h"

namespace gnomon {

namespace {

gnomon::error invalid(const std::string& receiver, const std::string& why) {
  return {errc::invalid_argument, "send to \"" + receiver + "\": " + why};
}

/// Returns what is wrong with `content`, if anything.
caf::error write_content(caf::actor_system& system, const caf::message& content,
                         v1::DurableSend& into) {
  try {
    for (auto& name : type_names(system, content))
      into.add_types(std::move(name));
    return serialise(system, content, *into.mutable_content());
  } catch (const std::exception& why) {
    return caf::make_error(errc::invalid_argument, std::string{why.what()});
  } catch (...) {
    return caf::make_error(errc::invalid_argument,
                           std::string{"an unknown exception"});
  }
}

errc code_of(v1::RejectionType type) {
  switch (type) {
  case v1::REJECTION_TYPE_NOT_FOUND:
    return errc::not_found;
  case v1::REJECTION_TYPE_ALREADY_EXISTS:
    return errc::already_exists;
  case v1::REJECTION_TYPE_INVALID_STATE:
    return errc::invalid_state;
  default:
    return errc::invalid_argument;
  }
}

/// When the timer of an event is due; nothing if it is not any more.
timestamp due_of(const v1::Record& event) {
  v1::TimerCreated created;
  v1::TimerRescheduled rescheduled;
  if (event.intent() == v1::TIMER_INTENT_CREATED
      && created.ParseFromString(event.value()))
    return {created.due_ms()};
  if (event.intent() == v1::TIMER_INTENT_RESCHEDULED
      && rescheduled.ParseFromString(event.value()))
    return {rescheduled.due_ms()};
  return {};
}

} // namespace

result<create_timer> make_durable_send(caf::actor_system& system, due_when when,
                                       const std::string& receiver,
                                       const caf::message& content,
                                       const durable_send_options& options) {
  if (receiver.empty())
    return invalid(receiver, "expected a name, but there is none");
  v1::DurableSend kept;
  if (const auto why = write_content(system, content, kept))
    return invalid(receiver, "serialise the message: " + to_string(why));
  if (kept.content().size() > options.content_bytes_max)
    return invalid(receiver, "expected a message of at most "
                               + std::to_string(options.content_bytes_max)
                               + " bytes, but it has "
                               + std::to_string(kept.content().size()));
  kept.set_receiver(receiver);
  kept.set_caf_version(caf_version());
  kept.set_with_delivery(options.with_delivery);
  return create_timer{.when = std::move(when),
                      .target = std::string{send_target_prefix} + receiver,
                      .payload = kept.SerializeAsString(),
                      .catch_up = options.catch_up,
                      .retries = options.retries,
                      .name = options.timer_name,
                      .zone = options.zone,
                      .cron_five_fields = options.cron_five_fields,
                      .idempotency_key = options.idempotency_key};
}

result<scheduled_send> read_scheduled_send(const submit_reply& reply) {
  v1::SubmitReply content;
  if (reply.version != wire_version || !content.ParseFromString(reply.content)
      || content.answers_size() != 1)
    return {errc::invalid_argument, "read a reply: expected one answer of "
                                    "version 1, but could not read it"};
  const auto& answer = content.answers(0);
  if (auto code = errc::none;
      answer.error_code() != 0
      && from_integer(static_cast<std::uint8_t>(answer.error_code()), code))
    return {code, answer.error_context()};
  const auto& outcome = answer.outcome();
  if (outcome.record_type() == v1::RECORD_TYPE_COMMAND_REJECTION)
    return {code_of(outcome.rejection_type()), outcome.rejection_reason()};
  return scheduled_send{{outcome.key()}, due_of(outcome)};
}

namespace detail {

gnomon::error from_caf(const caf::error& why) {
  const auto ours = caf::make_error(errc::io_error);
  if (auto code = errc::none; why.category() == ours.category()
                              && from_integer(why.code(), code)
                              && code != errc::none)
    return {code, to_string(why)};
  // E.g., the partition has ended meanwhile: what became of it is unknown.
  return {errc::timed_out, to_string(why)};
}

} // namespace detail

caf::actor spawn_sender(caf::actor_system& system, const partition& from,
                        sender_options options) {
  GNOMON_CHECK(options.capacity > 0);
  GNOMON_CHECK(options.answer_timeout > duration{0});
  return caf::actor_cast<caf::actor>(
    system.spawn<durable_send_actor, caf::hidden>(from, std::move(options)));
}

result<void> register_receiver(caf::actor_system& system,
                               const std::string& name,
                               const caf::actor& whom) {
  if (!register_actor(system, name, whom))
    return {errc::invalid_argument,
            "register \"" + name
              + "\": expected a name that the registry of CAF can have"};
  return {};
}

} // namespace gnomon
