#include "actors/durable_send_actor.hpp"

#include "actors/caf_messages.hpp"
#include "gnomon/v1/job.pb.h"

namespace gnomon {

namespace {

/// The partition takes a job back that was not answered for so much longer than
/// its receiver had.
constexpr duration answer_margin = std::chrono::seconds{60};

std::string joined(const auto& texts) {
  std::string result;
  for (const auto& text : texts)
    result += (result.empty() ? "" : ", ") + text;
  return '(' + result + ')';
}

result<caf::message> load(caf::actor_system& system, std::string_view from) {
  caf::message content;
  try {
    if (const auto why = deserialise(system, from, content))
      return {errc::invalid_argument, to_string(why)};
    return content;
  } catch (const std::exception& why) {
    return {errc::invalid_argument, why.what()};
  } catch (...) {
    return {errc::invalid_argument, "an unknown exception"};
  }
}

/// Takes the message out of what an earlier programme has kept.
result<caf::message> read_content(caf::actor_system& system,
                                  const v1::DurableSend& from) {
  if (from.caf_version() != caf_version())
    return {errc::invalid_argument, "expected a message of CAF " + caf_version()
                                      + ", but it is of CAF "
                                      + from.caf_version()};
  const auto wanted = joined(from.types());
  auto content = load(system, from.content());
  if (!content)
    return {errc::invalid_argument,
            "read a message of " + wanted + ": " + content.error().context};
  // CAF 1.x keeps numbers, which may have got another meaning.
  const auto found = joined(type_names(system, *content));
  if (found != wanted)
    return {errc::invalid_argument,
            "expected a message of " + wanted + ", but it reads as " + found};
  return content;
}

durable_delivery delivery_of(const v1::Job& pushed) {
  const auto& created = pushed.created();
  return {.timer = {created.timer_key()},
          .occurrence = created.occurrence(),
          .due = {created.due_ms()}};
}

v1::SubscribeRequest request_for(const sender_options& options) {
  v1::SubscribeRequest result;
  result.set_type(std::string{send_target_prefix} + '*');
  result.set_capacity(options.capacity);
  result.set_timeout_ms((options.answer_timeout + answer_margin).count());
  return result;
}

} // namespace

durable_send_actor::durable_send_actor(caf::actor_config& cfg, partition from,
                                       sender_options options)
  : worker_actor(cfg, std::move(from), request_for(options)),
    options_(std::move(options)) {
  if (!options_.find)
    options_.find = [this](const std::string& name) {
      return find_registered(system(), name);
    };
}

const char* durable_send_actor::name() const {
  return "gnomon.sender";
}

void durable_send_actor::on_exit() {
  options_.find = nullptr;
  worker_actor::on_exit();
}

void durable_send_actor::take(v1::Job next) {
  const activated_job about{{next.key()}, next.activation()};
  v1::DurableSend kept;
  if (!kept.ParseFromString(next.created().payload()))
    return fail_for_good(about, "expected a DurableSend, but the payload of "
                                "the job is none");
  auto content = read_content(system(), kept);
  if (!content)
    return fail_for_good(about, "send to \"" + kept.receiver()
                                  + "\": " + content.error().context);
  const auto receiver = options_.find(kept.receiver());
  if (!receiver)
    return fail_for_now(about, "send to \"" + kept.receiver()
                                 + "\": no actor is known by this name");
  if (kept.with_delivery())
    *content
      = caf::message::concat(caf::make_message(delivery_of(next)), *content);
  send_to(receiver, std::move(*content), about, kept.receiver());
}

void durable_send_actor::send_to(const caf::actor& receiver,
                                 caf::message content, activated_job about,
                                 const std::string& whom) {
  request_any(
    this, receiver, caf::timespan{options_.answer_timeout}, std::move(content),
    [this, about] { complete(about); },
    [this, about, whom](const caf::error& why) {
      fail_for_now(about, "send to \"" + whom + "\": it answered with "
                            + to_string(why));
    });
}

void durable_send_actor::complete(activated_job about) {
  answer(to_command(complete_job{about.key, about.activation, {}}));
}

void durable_send_actor::fail_for_now(activated_job about, std::string why) {
  fail_job command{.key = about.key,
                   .activation = about.activation,
                   .message = std::move(why)};
  if (options_.back_off)
    command.back_off = *options_.back_off;
  answer(to_command(command));
}

void durable_send_actor::fail_for_good(activated_job about, std::string why) {
  answer(to_command(fail_job{.key = about.key,
                             .activation = about.activation,
                             .message = std::move(why),
                             .retries = 0}));
}

} // namespace gnomon
