// What all requests to a partition actor go through.

#pragma once

#include "actors/error_conversion.hpp"
#include "actors/partition_actor.hpp"

#include <functional>
#include <string>
#include <utility>

namespace gnomon {

template <class Message>
bool parse(const wire_bytes& from, Message& into) {
  return from.version == wire_version && into.ParseFromString(from.content);
}

inline caf::error unreadable(const char* what) {
  return to_caf({errc::invalid_argument, std::string{what}
                                           + ": expected a message of version 1"
                                             ", but could not read it"});
}

template <class Reply>
Reply make_reply(const google::protobuf::MessageLite& content) {
  return Reply{{wire_version, content.SerializeAsString()}};
}

// -- definitions --------------------------------------------------------------

template <class Reply>
void partition_actor::when_open(promise<Reply> to,
                                std::function<void(promise<Reply>)> request) {
  if (is_closing_ || phase_ == v1::PHASE_FAILED || phase_ == v1::PHASE_CLOSED) {
    to.deliver(to_caf({errc::unavailable,
                       is_closing_ ? "partition: it is closing"
                                   : "partition: failed: " + last_failure_}));
    return;
  }
  if (core_) {
    request(std::move(to));
    return;
  }
  if (stashed_.size() >= options_.in_flight_max) {
    to.deliver(to_caf({errc::resource_exhausted,
                       "partition: too many requests while it opens"}));
    return;
  }
  stashed_.push_back([to = std::move(to),
                      request = std::move(request)](const error* why) mutable {
    if (why)
      to.deliver(to_caf(*why));
    else
      request(std::move(to));
  });
}

template <class Handle>
void partition_actor::watch(const Handle& whom) {
  on_down(this, whom, [this](const caf::actor_addr& gone, const caf::error&) {
    forget_worker(gone);
    exports_.forget(gone);
  });
}

} // namespace gnomon
