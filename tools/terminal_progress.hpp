// A bar on the terminal for work that takes its time.

#pragma once

#include "gnomon/clock.hpp"

#include "inspection/progress.hpp"
#include <chrono>
#include <iosfwd>
#include <string>

namespace gnomon::tools {

/// Draws on one line and removes it at the end. Says nothing before the first
/// half second, and then at most ten times a second.
class terminal_progress : public inspection::progress {
public:
  /// @param out   A terminal. Borrowed, and so is `time`.
  terminal_progress(std::ostream& out, const clock& time);

  ~terminal_progress() override;

  void report(std::string_view what, std::uint64_t done,
              std::uint64_t total) override;

  void end() override;

private:
  std::ostream& out_;
  const clock& time_;
  std::chrono::nanoseconds next_;
  bool drawn_ = false;
};

/// Returns, e.g., "[#####-----]  50 %  replay".
std::string draw_bar(std::string_view what, std::uint64_t done,
                     std::uint64_t total);

} // namespace gnomon::tools
