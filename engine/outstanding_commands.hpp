// Follow-up commands that are logged, but not processed.

#pragma once

#include "gnomon/check.hpp"
#include "gnomon/record.hpp"

#include <cstddef>
#include <deque>

namespace gnomon::engine {

/// First in, first out, which is the order of their positions. What one attempt
/// at a batch takes and adds can be undone. References stay valid until `keep`
/// or `undo`.
class outstanding_commands {
public:
  explicit outstanding_commands(std::deque<record> logged)
    : commands_(std::move(logged)), kept_(commands_.size()) {
    // nop
  }

  /// Takes the next one, or null.
  const record* take() {
    return taken_ < commands_.size() ? &commands_[taken_++] : nullptr;
  }

  void add(record command) {
    GNOMON_CHECK(commands_.empty()
                 || commands_.back().position < command.position);
    commands_.push_back(std::move(command));
  }

  /// Goes back to where the attempt began.
  void undo() {
    commands_.resize(kept_);
    taken_ = 0;
  }

  /// Makes what the attempt did final.
  void keep() {
    commands_.erase(commands_.begin(),
                    commands_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
    kept_ = commands_.size();
  }

  /// Returns how many are left to take.
  std::size_t size() const {
    return commands_.size() - taken_;
  }

private:
  std::deque<record> commands_;
  std::size_t taken_ = 0;
  std::size_t kept_;
};

} // namespace gnomon::engine
