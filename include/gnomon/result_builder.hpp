// What a processor makes of a command: records and effects.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/key.hpp"
#include "gnomon/record.hpp"
#include "gnomon/state.hpp"

#include <string>
#include <string_view>

namespace gnomon {

/// Port. Collects the outcome of one command.
///
/// Every command must end in at least one event or a rejection; its first
/// outcome record is the answer to the client.
///
/// Ownership: belongs to the engine, valid during the call it is handed to.
/// On an exception or an error all of it is undone.
class result_builder {
public:
  virtual ~result_builder() = default;

  /// Returns the state as of here: events appended before are applied.
  virtual const state_reader& state() const = 0;

  /// Draws a key that no record of this partition has had.
  virtual key next_key() = 0;

  /// Appends an event and applies it at once, by the applier that replay uses.
  /// An event that no processor accepts is a failure of processing.
  virtual void append_event(key about, value_type type, intent what,
                            bytes_view value, key scope = {})
    = 0;

  /// Appends a follow-up command. It is logged in the same frame and processed
  /// before the next command of a client. Does not count as an outcome.
  virtual void append_command(key about, value_type type, intent what,
                              bytes_view value, key scope = {})
    = 0;

  /// Refuses the command. `reason` reads "expected ..., but ..." and names the
  /// key.
  virtual void reject(rejection_type type, std::string reason) = 0;

  /// Hands `content` to the sink that the partition has for `channel`, once
  /// everything of this command is durable. Lost in a crash: what must not be
  /// lost is re-created from state on recovery.
  virtual void deliver(std::string_view channel, key about, bytes content) = 0;
};

} // namespace gnomon
