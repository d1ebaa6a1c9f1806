// The content of a durable message, as the sender reads it.
// Input: flags, the job's payload or the bytes of a message of CAF.

#include "actors/caf_messages.hpp"
#include "gnomon/v1/durable_send.pb.h"
#include "tests/fuzz/target.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

namespace gnomon::fuzz {

namespace {

caf::actor_system& actors() {
  // Never destroyed: that would be too late, at the end of the process.
  static auto& config = *new caf::actor_system_config;
  static auto& system
    = *new caf::actor_system{config.set("scheduler.max-threads", 1)};
  return system;
}

/// As the sender does it: CAF may throw.
bool read(bytes_view from, caf::message& into) {
  try {
    return !deserialise(actors(), from, into);
  } catch (const std::exception&) {
    return false;
  }
}

} // namespace

void run(bytes_view input) {
  reader in{input};
  const bool wrapped = in.number(1) % 2 == 1;
  bytes content{in.rest()};
  if (v1::DurableSend kept; wrapped) {
    if (!kept.ParseFromString(content))
      return;
    static_cast<void>(find_registered(actors(), kept.receiver()));
    content = kept.content();
  }
  caf::message found;
  if (!read(content, found))
    return;
  static_cast<void>(type_names(actors(), found));
  bytes again;
  if (serialise(actors(), found, again))
    return;
  caf::message second;
  GNOMON_CHECK(read(again, second));
  GNOMON_CHECK(second.size() == found.size());
}

} // namespace gnomon::fuzz
