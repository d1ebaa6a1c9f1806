// Who wants to know how far long work has come.

#pragma once

#include <cstdint>
#include <string_view>

namespace gnomon::inspection {

/// Port. Told now and then while something long is under way.
class progress {
public:
  virtual ~progress() = default;

  /// Says that `done` of `total` units of `what`, e.g., "read the log", are
  /// done. Called often; must be cheap. A new `what` begins new work.
  virtual void report(std::string_view what, std::uint64_t done,
                      std::uint64_t total)
    = 0;

  /// Says that nothing is under way any more.
  virtual void end() = 0;
};

/// Tells nobody.
class silent_progress : public progress {
public:
  void report(std::string_view, std::uint64_t, std::uint64_t) override {
    // nop
  }

  void end() override {
    // nop
  }
};

} // namespace gnomon::inspection
