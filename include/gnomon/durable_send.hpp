// Messages that are sent at a later time, to an actor known by its name, and
// that outlive the process: a durable `delayed_send`.

#pragma once

#include "gnomon/partition.hpp"
#include "gnomon/result.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gnomon {

/// Targets of the timers, and so types of the jobs, of durable messages begin
/// with it; the name of the receiver follows. It is how the waiting room, lists
/// of jobs and incidents show them.
inline constexpr std::string_view send_target_prefix = "send:";

/// How a message is kept and sent.
struct durable_send_options {
  /// A repeat of the wish with the same one gets the first answer.
  std::string idempotency_key = {};

  /// Unique among the waiting timers of the partition, unless empty.
  std::string timer_name = {};

  /// How often delivery may fail until an incident is raised; 0 means the
  /// default of the partition.
  std::uint32_t retries = 0;

  /// Puts a `durable_delivery` in front of what the receiver gets, so that it
  /// recognises repeats. Otherwise it gets the message as it is.
  bool with_delivery = false;

  /// Of messages sent again and again.
  v1::CatchUp catch_up = v1::CATCH_UP_EVERY;

  /// Zone of an expression that names none; empty means UTC.
  std::string zone = {};

  bool cron_five_fields = false;

  /// Of the message as it is kept. The partition has a limit of its own.
  std::size_t content_bytes_max = 64 << 10;
};

/// Which message a receiver has got: the same however often it is sent.
struct durable_delivery {
  key timer = {};

  /// From 1; more for messages sent every so often.
  std::uint64_t occurrence = 0;

  timestamp due = {};

  friend bool operator==(const durable_delivery&, const durable_delivery&)
    = default;
};

template <class Inspector>
auto inspect(Inspector& f, durable_delivery& x) {
  return inspect_fields(
    f, x, "gnomon::durable_delivery", field{"timer", x.timer.value},
    field{"occurrence", x.occurrence}, field{"due", x.due.value});
}

/// Answers `send_later` once that is durable.
struct scheduled_send {
  /// Cancels and reschedules it.
  key timer = {};

  /// When it is due first.
  timestamp due = {};
};

/// Makes the command that sends `content` to `receiver`, e.g., to submit many
/// at once, or from a programme on another node.
/// @param receiver  Name in the registry of the actor system that delivers;
///                  with CAF 0.17, at most 10 letters, digits, spaces and
///                  underscores.
/// @returns `errc::invalid_argument` if a name is missing, or `content` has
///          elements that CAF cannot serialise, or is too large.
result<create_timer>
make_durable_send(caf::actor_system& system, due_when when,
                  const std::string& receiver, const caf::message& content,
                  const durable_send_options& options = {});

/// Reads the answer to one command about the timer of a durable message.
/// @returns The reason of a rejection with `errc::not_found`,
///          `errc::already_exists`, `errc::invalid_state` or
///          `errc::invalid_argument`; an error as the partition had it.
result<scheduled_send> read_scheduled_send(const submit_reply& reply);

namespace detail {

gnomon::error from_caf(const caf::error& why);

/// Submits `command` and calls `done(result<scheduled_send>)`: in `self` later,
/// or, if it is blocking, before this returns.
template <class Self, class Command, class Done>
void submit_send(Self* self, const partition& to, const Command& command,
                 Done done) {
  auto read = [done](const submit_reply& reply) mutable {
    done(read_scheduled_send(reply));
  };
  auto fail = [done](const caf::error& why) mutable {
    done(result<scheduled_send>{from_caf(why)});
  };
  auto pending = mail_as(self, make_submit(command)).request(to, caf::infinite);
  if constexpr (std::is_base_of_v<caf::blocking_actor, Self>)
    std::move(pending).receive(read, fail);
  else
    std::move(pending).then(read, fail);
}

} // namespace detail

/// Has `content` sent to the actor registered as `receiver` when it is due, and
/// again until that answers. Calls `done(result<scheduled_send>)` once this is
/// durable, or with the reason why not: in `self` later, or, if that is
/// blocking, before this returns.
///
/// Needs a `spawn_sender` for the partition in some process. Any answer but an
/// error acknowledges the message; so a receiver that needs time for its work
/// answers when it is done. Delivery is at least once: see `durable_delivery`.
/// Errors are those of `make_durable_send` and of requests to a partition.
/// @param self  The calling actor, e.g., `this` or `scoped_actor::ptr()`.
template <class Self, class Done>
requires std::invocable<Done&, result<scheduled_send>>
void send_later(Self* self, const partition& to, due_when when,
                const std::string& receiver, const caf::message& content,
                const durable_send_options& options, Done done) {
  auto command = make_durable_send(self->home_system(), std::move(when),
                                   receiver, content, options);
  if (command)
    detail::submit_send(self, to, *command, std::move(done));
  else
    done(result<scheduled_send>{command.error()});
}

/// As `send_later`, again and again.
/// @param recurrence  An expression, see `gnomon::recurrence`.
template <class Self, class Done>
requires std::invocable<Done&, result<scheduled_send>>
void send_every(Self* self, const partition& to, const std::string& recurrence,
                const std::string& receiver, const caf::message& content,
                const durable_send_options& options, Done done) {
  send_later(self, to, due_when{recurrence}, receiver, content, options,
             std::move(done));
}

/// Calls a message off that is not due yet. Of one that is due already, which
/// may be waiting for an answer or a retry, `done` gets `errc::not_found`; of
/// one sent every so often, the occurrences that are not due are called off.
template <class Self, class Done>
void cancel_send(Self* self, const partition& from, key timer, Done done) {
  detail::submit_send(self, from, cancel_timer{.key = timer}, std::move(done));
}

/// Gives a message that is not due yet another time.
template <class Self, class Done>
void reschedule_send(Self* self, const partition& of, key timer, due_when when,
                     Done done) {
  detail::submit_send(self, of,
                      reschedule_timer{.key = timer, .when = std::move(when)},
                      std::move(done));
}

/// What `spawn_sender` does with the messages of a partition.
struct sender_options {
  /// Messages without an answer at once; at least 1.
  std::uint32_t capacity = 32;

  /// What counts as no answer.
  duration answer_timeout = std::chrono::seconds{60};

  /// After a failure. None: that of the partition, 1 s doubled up to 5 min.
  std::optional<gnomon::back_off> back_off = {};

  /// Finds a receiver; null if there is none now. Empty: the registry of the
  /// actor system. Called by the actor; must not block.
  std::function<caf::actor(const std::string& name)> find = {};
};

/// Spawns the actor that sends the durable messages of `from` as they become
/// due. Each process that has receivers may have one. It ends with the
/// partition or behind a `drain`. That a receiver has answered it repeats to
/// the partition until that takes it.
///
/// What fails is tried again after a back-off: an error as answer, no answer in
/// time, no actor of that name. Out of retries, an incident tells the operator,
/// and the message waits for it to be resolved. One that this programme cannot
/// read, since its types have changed, becomes an incident at once.
caf::actor spawn_sender(caf::actor_system& system, const partition& from,
                        sender_options options = {});

/// Makes an actor known by a name to the senders of this process, in the
/// registry of the actor system; an empty handle takes the name back. The
/// registry keeps the actor alive.
/// @returns `errc::invalid_argument` if the registry cannot have such a name.
result<void> register_receiver(caf::actor_system& system,
                               const std::string& name, const caf::actor& whom);

} // namespace gnomon

CAF_BEGIN_TYPE_ID_BLOCK(gnomon_send, GNOMON_FIRST_TYPE_ID + 20)

CAF_ADD_TYPE_ID(gnomon_send, (gnomon::durable_delivery))

CAF_END_TYPE_ID_BLOCK(gnomon_send)
