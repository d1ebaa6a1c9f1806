// Requests of clients that wait for their answers to become durable.

#pragma once

#include "engine/effect.hpp"
#include "gnomon/clock.hpp"
#include "gnomon/error.hpp"
#include "gnomon/partition.hpp"

#include <caf/typed_response_promise.hpp>
#include <google/protobuf/arena.h>

#include "partitions/histogram.hpp"
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>

namespace gnomon {

/// Collects the answers to the commands of each `submit` and delivers them
/// together.
///
/// Threads: one owner, the partition actor.
class pending_requests {
public:
  using promise = caf::typed_response_promise<submit_reply>;

  /// One `submit` under way.
  struct request {
    promise to;
    google::protobuf::Arena memory;
    v1::SubmitReply& reply
      = *google::protobuf::Arena::CreateMessage<v1::SubmitReply>(&memory);
    int missing = 0;

    /// When it came, by the monotonic clock.
    std::chrono::nanoseconds begin{0};
  };

  /// Observes how long requests take until they are answered.
  /// @param time  Borrowed; null: does not.
  explicit pending_requests(const clock* time) : time_(time) {
    // nop
  }

  /// Begins a request of `count` commands, whose answers are errors until they
  /// are set.
  std::shared_ptr<request> begin(promise to, int count);

  /// The answer number `index` of `whose` will carry `number`.
  /// @pre `number` is above all before.
  void expect(std::uint64_t number, std::shared_ptr<request> whose, int index);

  /// Answer `index` of `whose` is an error already.
  void refuse(request& whose, int index, const error& why);

  /// Takes an answer in, and delivers the request if that was the last one.
  void answer(engine::reply what);

  /// Answers everything with `why`.
  void fail_all(const error& why);

  const partitions::histogram& acknowledgement_us() const {
    return acknowledgement_us_;
  }

  bool empty() const {
    return expected_.empty();
  }

private:
  /// A place that is settled belongs to nobody.
  struct place {
    std::uint64_t number = 0;
    std::shared_ptr<request> whose;
    int index = 0;
  };

  void settle(request& whose);

  const clock* time_;
  partitions::histogram acknowledgement_us_{partitions::duration_bounds_us};

  /// Ascending by number; the first one is not settled.
  std::deque<place> expected_;
};

} // namespace gnomon
