// A partition without engine, log and disk: one command at a time.

#pragma once

#include "gnomon/due_index.hpp"
#include "gnomon/record_processor.hpp"
#include "tests/timers/fake_state.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::testing {

/// What a processor handed to a channel.
struct delivery {
  std::string channel;
  gnomon::key key;
  bytes content;
};

/// Processes commands against a `fake_state` and keeps all records.
class fake_partition : private result_builder {
public:
  template <class... Processors>
  explicit fake_partition(std::unique_ptr<Processors>... processors) {
    (processors_.push_back(std::move(processors)), ...);
  }

  /// Processes one command at the time `now`. @returns Its outcome records.
  std::vector<record> process(value_type type, int what, key about, bytes value,
                              timestamp now, key scope = {});

  /// Same, with the value as a message.
  template <class Message>
  std::vector<record> submit(value_type type, int what, key about,
                             const Message& value, timestamp now) {
    return process(type, what, about, value.SerializeAsString(), now);
  }

  /// Proposes what is due at `now`, once each, oldest first.
  /// @returns The outcome records of all of it.
  std::vector<record> trigger_due(timestamp now);

  /// Applies all events so far to an empty state.
  fake_state::dump replayed();

  const state_reader& view() const {
    return state_;
  }

  fake_state state_;
  std::vector<record> log;
  std::vector<delivery> deliveries;

private:
  const state_reader& state() const override {
    return state_;
  }

  key next_key() override {
    return key::make({1}, next_counter_++);
  }

  void append_event(key about, value_type type, intent what, bytes_view value,
                    key scope) override;

  void append_command(key about, value_type type, intent what, bytes_view value,
                      key scope) override;

  void reject(rejection_type type, std::string reason) override;

  void deliver(std::string_view channel, key about, bytes content) override {
    deliveries.push_back({std::string{channel}, about, std::move(content)});
  }

  record_processor* find(const record_header& header);

  record follow(key about, value_type type, intent what, bytes_view value);

  void append(record what) {
    what.position = {log.size() + 1};
    log.push_back(std::move(what));
  }

  std::vector<std::unique_ptr<record_processor>> processors_;
  record command_;
  std::uint64_t next_counter_ = 1;
};

/// Parses the value of `from`; fails the test if it is no `Message`.
template <class Message>
Message parse(const record& from) {
  Message result;
  if (!typed_record{from}.parse(result))
    throw std::invalid_argument{"the value is not of the type asked for"};
  return result;
}

/// Says whether `what` is the event (`type`, `verb`).
inline bool is_event(const record& what, value_type type, int verb) {
  return what.record_type == record_type::event && what.value_type == type
         && what.intent.value == verb;
}

} // namespace gnomon::testing
