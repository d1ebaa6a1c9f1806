#include "engine/step.hpp"

#include "engine/applier.hpp"
#include "engine/bans.hpp"
#include "engine/idempotency.hpp"
#include "engine/own_record.hpp"
#include "engine/record_processor_map.hpp"
#include "engine/retry_strategy.hpp"
#include "gnomon/check.hpp"
#include "gnomon/v1/partition.pb.h"

#include <exception>

namespace gnomon::engine {

namespace {

std::string kind_name(value_type type, intent what) {
  return std::to_string(what.value) + " of value type "
         + std::to_string(static_cast<unsigned>(type));
}

std::string name(const typed_record& command) {
  return "process command " + kind_name(command.value_type, command.intent)
         + " about key " + std::to_string(command.key.value);
}

} // namespace

// -- commands -----------------------------------------------------------------

void step::process(const pending_command& next) {
  const auto admitted = admit(next);
  if (failure_ || admitted == admission::repeated)
    return;
  if (admitted == admission::fresh)
    return decide();
  reject(rejection_type::invalid_argument,
         "expected the command that idempotency key "
           + std::string{command_.idempotency_key}
           + " was used for, but it is another one");
  finish();
}

void step::process(const record& follow_up) {
  begin_follow_up(follow_up);
  decide();
}

step::admission step::admit(const pending_command& next) {
  const auto& asked = next.command;
  // Only what a client may choose; all else is the engine's.
  auto logged = make(record_type::command, asked.key, asked.value_type,
                     asked.intent, asked.value, asked.scope_key);
  logged.value_version = asked.value_version;
  logged.idempotency_key = asked.idempotency_key;
  origin_ = next.origin;
  request_ = next.request;
  answer_key_ = asked.idempotency_key;
  has_outcome_ = has_follow_up_ = false;
  auto admitted = admission::fresh;
  if (!answer_key_.empty()) {
    const auto found = idempotency::find(context_.state, answer_key_);
    if (!found)
      failure_ = found.error();
    else if (*found && (*found)->content == idempotency::content_hash(logged))
      return repeat(**found);
    else if (*found)
      admitted = admission::conflicting;
  }
  // The answer remembered under the key stays the first one.
  if (admitted == admission::conflicting)
    answer_key_ = {};
  command_ = logged;
  if (!failure_ && !context_.batch.append(logged))
    fail(errc::exceeded_batch_size, name(command_));
  command_.position = logged.position;
  return admitted;
}

step::admission step::repeat(const idempotency::stored_answer& found) {
  if (request_ != 0)
    context_.effects.push_back(
      {found.outcome.position, reply{request_, own_record(found.outcome)}});
  return admission::repeated;
}

void step::begin_follow_up(const record& follow_up) {
  GNOMON_CHECK(follow_up.position);
  command_ = typed_record{follow_up};
  // Its outcomes are stamped when it is processed.
  command_.timestamp = context_.now;
  origin_ = command_origin::proposal;
  request_ = 0;
  answer_key_ = {};
  has_outcome_ = has_follow_up_ = false;
}

void step::decide() {
  if (command_.scope_key && bans::contains(context_.state, command_.scope_key))
    reject(rejection_type::invalid_state,
           "expected an instance that takes commands, but "
             + std::to_string(command_.scope_key.value) + " is banned");
  else if (auto* processor = context_.processors.find(command_))
    run(*processor);
  else
    reject(rejection_type::invalid_argument,
           "expected a kind of command that somebody decides, but nobody "
           "decides "
             + kind_name(command_.value_type, command_.intent));
  finish();
}

void step::run(record_processor& processor) {
  try {
    processor.process(command_, *this);
  } catch (const std::exception& thrown) {
    fail(errc::processing_failed, name(command_) + ": " + thrown.what());
  } catch (...) {
    fail(errc::processing_failed, name(command_) + ": unknown exception");
  }
}

void step::finish() {
  if (context_.state.failure() && !failure_)
    failure_ = context_.state.failure();
  if (failure_ || has_outcome_)
    return;
  if (has_follow_up_)
    return fail(errc::processing_failed,
                name(command_)
                  + ": expected an event or a rejection, but there are only "
                    "follow-up commands");
  reject(rejection_type::processing_failed,
         "expected an event or a rejection, but the processor appended none");
}

// -- failed commands ----------------------------------------------------------

processing_error step::give_up(const pending_command& next, const error& what,
                               ask_processor ask) {
  const auto admitted = admit(next);
  if (failure_ || admitted == admission::repeated)
    return processing_error::reject;
  return resolve(what, ask);
}

processing_error step::give_up(const record& follow_up, const error& what,
                               ask_processor ask) {
  begin_follow_up(follow_up);
  return resolve(what, ask);
}

processing_error step::resolve(const error& what, ask_processor ask) {
  gives_up_ = true;
  has_outcome_ = true;
  context_.batch.leave_gap();
  auto* processor = context_.processors.find(command_);
  auto chosen = processing_error::reject;
  if (processor && ask == ask_processor::yes)
    chosen = consult(*processor, what);
  if (chosen == processing_error::retry)
    return chosen;
  fill_rejection(what);
  // A user's command must not be able to set an instance aside.
  if (chosen == processing_error::ban_instance && command_.scope_key
      && origin_ != command_origin::client)
    ban(what);
  finish();
  return chosen;
}

processing_error step::consult(record_processor& processor, const error& what) {
  try {
    return processor.on_processing_error(what, command_, *this);
  } catch (...) {
    fail(errc::processing_failed,
         name(command_) + ": the processor threw about its failure");
  }
  return processing_error::reject;
}

void step::fill_rejection(const error& what) {
  if (failure_)
    return;
  const auto type = chosen_type_.value_or(abortable::type(what));
  const auto reason = chosen_type_ ? chosen_reason_ : abortable::reason(what);
  auto rejection = make_rejection(type, reason);
  rejection.idempotency_key = answer_key_;
  if (!context_.batch.fill_gap(rejection))
    return fail(errc::exceeded_batch_size, name(command_));
  apply(rejection, is_answer::yes);
}

void step::ban(const error& what) {
  v1::ClearInstance follow_up;
  auto* banned = follow_up.mutable_banned();
  banned->set_reason(abortable::reason(what));
  banned->set_command_position(command_.position.value);
  append_event(command_.scope_key, value_type::error, {v1::ERROR_INTENT_BANNED},
               banned->SerializeAsString(), command_.scope_key);
  // Whoever keeps things of instances drops them and tells the operator. The
  // command has no scope itself: it would be refused.
  typed_record clear;
  clear.record_type = record_type::command;
  clear.value_type = value_type::error;
  clear.intent = {v1::ERROR_INTENT_CLEAR};
  if (context_.processors.find(clear))
    append_command(command_.scope_key, clear.value_type, clear.intent,
                   follow_up.SerializeAsString());
}

// -- result_builder -----------------------------------------------------------

key step::next_key() {
  const auto drawn = context_.keys.draw();
  if (!drawn)
    fail(errc::processing_failed, "draw key: all are gone");
  return drawn.value_or(key{});
}

void step::append_event(key about, value_type type, intent what,
                        bytes_view value, key scope) {
  auto event = make(record_type::event, about, type, what, value, scope);
  event.source_position = command_.position;
  if (!failure_ && !context_.processors.find(event))
    fail(errc::processing_failed,
         name(command_) + ": nobody applies event " + kind_name(type, what));
  append_outcome(event);
}

void step::append_command(key about, value_type type, intent what,
                          bytes_view value, key scope) {
  auto command = make(record_type::command, about, type, what, value, scope);
  command.source_position = command_.position;
  if (!failure_ && !context_.processors.find(command))
    fail(errc::processing_failed,
         name(command_) + ": nobody decides command " + kind_name(type, what));
  if (failure_)
    return;
  if (!context_.batch.append(command))
    return fail(errc::exceeded_batch_size, name(command_));
  context_.outstanding.add(own_record(command));
  has_follow_up_ = true;
}

void step::reject(rejection_type type, std::string reason) {
  if (type == rejection_type::unspecified)
    return fail(errc::processing_failed,
                name(command_) + ": expected a type of rejection");
  if (gives_up_) {
    chosen_type_ = type;
    chosen_reason_ = shortened(std::move(reason));
    return;
  }
  const auto kept = shortened(std::move(reason));
  auto rejection = make_rejection(type, kept);
  append_outcome(rejection);
}

void step::deliver(std::string_view channel, key about, bytes content) {
  if (!failure_)
    context_.effects.push_back(
      {{}, delivery{std::string{channel}, about, std::move(content)}});
}

// -- records ------------------------------------------------------------------

void step::append_outcome(typed_record& outcome) {
  if (failure_)
    return;
  const auto answer = has_outcome_ ? is_answer::no : is_answer::yes;
  has_outcome_ = true;
  if (answer == is_answer::yes)
    outcome.idempotency_key = answer_key_;
  if (!context_.batch.append(outcome))
    return fail(errc::exceeded_batch_size, name(command_));
  apply(outcome, answer);
}

void step::apply(const typed_record& outcome, is_answer answer) {
  if (answer == is_answer::yes && request_ != 0)
    context_.effects.push_back({{}, reply{request_, own_record(outcome)}});
  auto applied
    = apply_outcome(context_.processors, context_.state, command_, outcome);
  if (!applied && !failure_)
    failure_ = applied.error();
}

typed_record step::make(record_type kind, key about, value_type type,
                        intent what, bytes_view value, key scope) const {
  typed_record made;
  made.key = about;
  made.scope_key = scope;
  made.timestamp = context_.now;
  made.record_type = kind;
  made.value_type = type;
  made.intent = what;
  made.value = value;
  return made;
}

typed_record step::make_rejection(rejection_type type,
                                  std::string_view reason) const {
  auto made
    = make(record_type::command_rejection, command_.key, command_.value_type,
           command_.intent, {}, command_.scope_key);
  made.source_position = command_.position;
  made.rejection_type = type;
  made.rejection_reason = reason;
  return made;
}

void step::fail(errc code, std::string context) {
  if (!failure_)
    failure_ = error{code, std::move(context)};
}

} // namespace gnomon::engine
