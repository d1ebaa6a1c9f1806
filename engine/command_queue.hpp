// Commands that wait to be processed, in the order they came.

#pragma once

#include "gnomon/check.hpp"
#include "gnomon/record.hpp"
#include "gnomon/result.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace gnomon::engine {

struct engine_options;
class record_processor_map;

/// Who asks.
enum class command_origin : std::uint8_t {
  /// A user; counts as in flight until acknowledged, and never bans.
  client,
  /// The partition itself: triggers, completions, assignments, expiries.
  proposal,
};

/// A command that has neither position nor timestamp yet.
struct pending_command {
  record command;

  /// Number that the partition gave to the request; 0: nobody waits.
  std::uint64_t request = 0;

  command_origin origin = command_origin::client;
};

/// First in, first out, with a bound on the commands of clients in flight:
/// those that wait here, and those processed whose answer is not out yet.
///
/// Threads: one owner, the partition.
class command_queue {
public:
  /// @param processors  Borrowed; says which commands there are.
  command_queue(const record_processor_map& processors,
                const engine_options& options);

  /// Takes `command` in. On an error nothing was logged or kept:
  /// `errc::resource_exhausted` for a client's command if too many are in
  /// flight; `errc::invalid_argument` if it is no command, no processor accepts
  /// it, or its idempotency key is too long; `errc::exceeded_batch_size`.
  result<void> offer(pending_command command);

  /// Drops the first `count`. Those of clients that wait for an answer stay in
  /// flight until `acknowledge`.
  /// @pre `count <= size()`.
  void pop(std::size_t count);

  /// Says that the answer to one command of a client is out.
  /// @pre There is one unacknowledged.
  void acknowledge();

  /// Forgets everything; nothing is in flight any more.
  void clear();

  /// @pre `index < size()`.
  const pending_command& operator[](std::size_t index) const {
    GNOMON_CHECK(index < waiting_.size());
    return waiting_[index];
  }

  std::size_t size() const {
    return waiting_.size();
  }

  bool empty() const {
    return waiting_.empty();
  }

  /// Returns how many commands of clients are accepted, but not acknowledged.
  std::size_t in_flight() const {
    return clients_waiting_ + unacknowledged_;
  }

  /// Longest idempotency key, in bytes.
  static constexpr std::size_t idempotency_key_bytes_max = 255;

private:
  result<void> check(const pending_command& command) const;

  const record_processor_map* processors_;
  std::size_t in_flight_max_;
  std::size_t command_bytes_max_;
  std::deque<pending_command> waiting_;
  std::size_t clients_waiting_ = 0;
  std::size_t unacknowledged_ = 0;
};

} // namespace gnomon::engine
