#include "engine/command_queue.hpp"

#include "engine/engine_options.hpp"
#include "engine/record_processor_map.hpp"
#include "messages/record_codec.hpp"

namespace gnomon::engine {

static_assert(command_queue::idempotency_key_bytes_max
              <= messages::idempotency_key_bytes_max);

command_queue::command_queue(const record_processor_map& processors,
                             const engine_options& options)
  : processors_(&processors), in_flight_max_(options.in_flight_max),
    command_bytes_max_(options.command_bytes_max()) {
  GNOMON_CHECK(options.batch_bytes_max >= engine_options::batch_bytes_min);
}

result<void> command_queue::offer(pending_command command) {
  if (auto checked = check(command); !checked)
    return checked;
  if (command.origin == command_origin::client) {
    if (in_flight() >= in_flight_max_)
      return {errc::resource_exhausted,
              "accept command: " + std::to_string(in_flight_max_)
                + " commands are in flight"};
    ++clients_waiting_;
  }
  waiting_.push_back(std::move(command));
  return {};
}

result<void> command_queue::check(const pending_command& pending) const {
  const auto& command = pending.command;
  if (command.record_type != record_type::command)
    return {errc::invalid_argument, "accept command: record is no command"};
  if (!processors_->find(command))
    return {errc::invalid_argument,
            "accept command: nobody decides intent "
              + std::to_string(command.intent.value) + " of value type "
              + std::to_string(static_cast<unsigned>(command.value_type))};
  if (command.idempotency_key.size() > idempotency_key_bytes_max)
    return {errc::invalid_argument,
            "accept command: expected an idempotency key of at most "
              + std::to_string(idempotency_key_bytes_max)
              + " bytes, but it has "
              + std::to_string(command.idempotency_key.size())};
  if (messages::encoded_size(typed_record{command}) > command_bytes_max_)
    return {errc::exceeded_batch_size, "accept command: expected at most "
                                         + std::to_string(command_bytes_max_)
                                         + " bytes"};
  return {};
}

void command_queue::pop(std::size_t count) {
  GNOMON_CHECK(count <= waiting_.size());
  for (; count > 0; --count) {
    const auto& first = waiting_.front();
    if (first.origin == command_origin::client) {
      --clients_waiting_;
      if (first.request != 0)
        ++unacknowledged_;
    }
    waiting_.pop_front();
  }
}

void command_queue::acknowledge() {
  GNOMON_CHECK(unacknowledged_ > 0);
  --unacknowledged_;
}

void command_queue::clear() {
  waiting_.clear();
  clients_waiting_ = 0;
  unacknowledged_ = 0;
}

} // namespace gnomon::engine
