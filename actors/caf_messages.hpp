// Bridges CAF 0.17 and CAF 1.x where messages are handled as such: sent by
// nobody, kept as bytes, answered by whatever there is. Continues the bridge in
// gnomon/actors/caf_compat.hpp.

#pragma once

#include "gnomon/actors/caf_compat.hpp"

#include <caf/actor_registry.hpp>
#include <caf/behavior.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/message.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon {

/// Returns the version of CAF that serialises messages, e.g., "0.17": others
/// may do it in another way.
inline std::string caf_version() {
  return std::to_string(CAF_MAJOR_VERSION) + '.'
         + std::to_string(CAF_MINOR_VERSION);
}

} // namespace gnomon

#if CAF_MAJOR_VERSION == 0

namespace gnomon {

/// Sends a message that has no sender and wants no answer.
inline void send_from_nobody(const caf::strong_actor_ptr& to,
                             caf::message content) {
  to->enqueue(nullptr, caf::make_message_id(), std::move(content), nullptr);
}

/// Returns the names of the types of the elements.
inline std::vector<std::string> type_names(caf::actor_system& system,
                                           const caf::message& of) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < of.size(); ++i)
    result.push_back(system.types().portable_name(of.type(i)));
  return result;
}

/// Appends the bytes of `from`. May throw.
inline caf::error serialise(caf::actor_system& system, const caf::message& from,
                            std::string& into) {
  std::vector<char> buffer;
  caf::binary_serializer sink{system, buffer};
  auto why = from.save(sink);
  into.append(buffer.data(), buffer.size());
  return why;
}

/// Reads what `serialise` has written, and nothing behind it. May throw.
inline caf::error deserialise(caf::actor_system& system, std::string_view from,
                              caf::message& into) {
  caf::binary_deserializer source{system, from.data(), from.size()};
  auto why = into.load(source);
  if (!why && source.remaining() > 0)
    return caf::sec::invalid_argument;
  return why;
}

/// Returns the actor registered by this name, or null. Names are atoms.
inline caf::actor find_registered(caf::actor_system& system,
                                  const std::string& name) {
  const auto atom = caf::atom_from_string(name);
  if (to_string(atom) != name)
    return nullptr;
  return system.registry().get<caf::actor>(atom);
}

/// Registers an actor, or none. @returns False if there can be no such name.
inline bool register_actor(caf::actor_system& system, const std::string& name,
                           const caf::actor& whom) {
  const auto atom = caf::atom_from_string(name);
  if (name.empty() || to_string(atom) != name)
    return false;
  if (whom)
    system.registry().put(atom, whom);
  else
    system.registry().erase(atom);
  return true;
}

/// Takes any answer. Behaviors made of functions are typed: they turn what does
/// not fit into an error, which the receiver could have sent as well.
template <class OnAnswer, class OnError>
class any_answer : public caf::detail::behavior_impl {
public:
  any_answer(OnAnswer on_answer, OnError on_error)
    : on_answer_(std::move(on_answer)), on_error_(std::move(on_error)) {
    // nop
  }

  caf::match_case::result
  invoke_empty(caf::detail::invoke_result_visitor& f) override {
    on_answer_();
    f(caf::unit);
    return caf::match_case::match;
  }

  caf::match_case::result invoke(caf::detail::invoke_result_visitor& f,
                                 caf::type_erased_tuple& answer) override {
    if (!answer.match_elements<caf::error>())
      return invoke_empty(f);
    on_error_(answer.get_as<caf::error>(0));
    f(caf::unit);
    return caf::match_case::match;
  }

private:
  OnAnswer on_answer_;
  OnError on_error_;
};

/// Sends a request whose answer may be anything. Calls one of both in `self`.
template <class Self, class OnAnswer, class OnError>
void request_any(Self* self, const caf::actor& to, caf::timespan timeout,
                 caf::message content, OnAnswer on_answer, OnError on_error) {
  const auto id = self->new_request_id(caf::message_priority::normal);
  to->enqueue(self->ctrl(), id, std::move(content), self->context());
  self->request_response_timeout(caf::duration{timeout}, id);
  caf::behavior::impl_ptr answer{new any_answer<OnAnswer, OnError>(
                                   std::move(on_answer), std::move(on_error)),
                                 false};
  self->add_multiplexed_response_handler(id.response_id(),
                                         caf::behavior{std::move(answer)});
}

} // namespace gnomon

#else // CAF 1.x

#  include <caf/mailbox_element.hpp>

namespace gnomon {

inline void send_from_nobody(const caf::strong_actor_ptr& to,
                             caf::message content) {
  to->enqueue(caf::make_mailbox_element(nullptr, caf::make_message_id(),
                                        std::move(content)),
              nullptr);
}

inline std::vector<std::string> type_names(caf::actor_system&,
                                           const caf::message& of) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < of.size(); ++i)
    result.emplace_back(caf::query_type_name(of.type_at(i)));
  return result;
}

inline caf::error serialise(caf::actor_system& system, const caf::message& from,
                            std::string& into) {
  caf::byte_buffer buffer;
  caf::binary_serializer sink{system, buffer};
  if (!from.save(sink))
    return sink.get_error();
  into.append(reinterpret_cast<const char*>(buffer.data()), buffer.size());
  return {};
}

inline caf::error deserialise(caf::actor_system& system, std::string_view from,
                              caf::message& into) {
  caf::binary_deserializer source{system, from.data(), from.size()};
  if (!into.load(source))
    return source.get_error();
  if (source.remaining() > 0)
    return caf::sec::invalid_argument;
  return {};
}

inline caf::actor find_registered(caf::actor_system& system,
                                  const std::string& name) {
  return system.registry().get<caf::actor>(name);
}

inline bool register_actor(caf::actor_system& system, const std::string& name,
                           const caf::actor& whom) {
  if (name.empty())
    return false;
  if (whom)
    system.registry().put(name, whom);
  else
    system.registry().erase(name);
  return true;
}

template <class Self, class OnAnswer, class OnError>
void request_any(Self* self, const caf::actor& to, caf::timespan timeout,
                 caf::message content, OnAnswer on_answer, OnError on_error) {
  self->mail(std::move(content))
    .request(to, timeout)
    .then([on_answer](caf::message&) mutable { on_answer(); },
          [on_error](const caf::error& why) mutable { on_error(why); });
}

} // namespace gnomon

#endif
