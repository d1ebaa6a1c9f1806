// An application with one partition, and the clients that ask it.

#pragma once

#include "benchmarks/timers/plan.hpp"
#include "gnomon/module.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::benchmarks {

/// An actor system with the module, and nothing else yet.
class application {
public:
  application();

  caf::actor_system& system() {
    return system_;
  }

  void open(partition_options options);

  const partition& target() const {
    return partition_;
  }

  /// Closes the partition, and returns once its directory is closed.
  void close();

  /// Asks and waits; an error ends the programme.
  v1::QueryReply ask(const v1::Query& question);

  v1::Status status();

  /// Returns once commands are processed.
  void wait_until_open();

  /// Creates a timer and returns its key once it is durable.
  key create(const create_timer& wanted);

  /// Sends `messages` with up to `window` of them under way. Returns once all
  /// are answered, and ends the programme if a command was refused.
  void submit_all(std::vector<submit> messages, std::size_t window);

private:
  struct config : caf::actor_system_config {
    config();
  };

  config config_;
  caf::actor_system system_;
  caf::scoped_actor self_;
  partition partition_;
};

/// Returns a timer as all benchmarks create it.
create_timer plain_timer(timestamp due);

/// Returns messages that create `count` timers, 100 each, due at random between
/// `from` and `within` later.
std::vector<submit> creations(std::size_t count, timestamp from,
                              duration within);

/// Prints `why` and ends the programme.
[[noreturn]] void give_up(const std::string& why);

/// Ends the programme unless all commands were accepted.
void must_be_accepted(const submit_reply& reply);

/// How long each of many requests took, in milliseconds, one at a time.
struct series {
  std::size_t count_max = 0;
  std::vector<double> waits_ms = {};

  /// Set it to end the series early.
  std::atomic<bool> is_over = false;
};

/// Sends `message()` to `to` again and again, one at a time, and notes in
/// `into` how long each answer took. Ends with the series.
template <class Answer, class Handle, class Message>
caf::actor spawn_one_by_one(caf::actor_system& system, Handle to,
                            Message message, std::shared_ptr<series> into) {
  class client : public caf::event_based_actor {
  public:
    client(caf::actor_config& cfg, Handle to, Message message,
           std::shared_ptr<series> into)
      : caf::event_based_actor(cfg), to_(to), message_(message), into_(into) {
      // nop
    }

    caf::behavior make_behavior() override {
      next();
      return {};
    }

  private:
    void next() {
      if (into_->is_over || into_->waits_ms.size() >= into_->count_max)
        return;
      const auto start = steady::now();
      mail_as(this, message_())
        .request(to_, caf::infinite)
        .then([this, start](const Answer&) {
          into_->waits_ms.push_back(seconds_since(start) * 1e3);
          next();
        });
    }

    Handle to_;
    Message message_;
    std::shared_ptr<series> into_;
  };
  return system.spawn<client>(to, message, into);
}

/// Returns the value below which the part `share` of `values` lies.
double percentile(std::vector<double> values, double share);

} // namespace gnomon::benchmarks
