#include "tools/terminal_progress.hpp"

#include "tools/output.hpp"

#include <algorithm>
#include <ostream>

namespace gnomon::tools {

using namespace std::chrono_literals;

terminal_progress::terminal_progress(std::ostream& out, const clock& time)
  : out_(out), time_(time), next_(time.monotonic() + 500ms) {
  // nop
}

terminal_progress::~terminal_progress() {
  end();
}

void terminal_progress::report(std::string_view what, std::uint64_t done,
                               std::uint64_t total) {
  const auto now = time_.monotonic();
  if (now < next_)
    return;
  next_ = now + 100ms;
  drawn_ = true;
  out_ << "\r\x1b[K" << draw_bar(what, done, total) << std::flush;
}

void terminal_progress::end() {
  if (drawn_)
    out_ << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

std::string draw_bar(std::string_view what, std::uint64_t done,
                     std::uint64_t total) {
  constexpr std::size_t width = 30;
  constexpr std::size_t what_bytes_max = 40;
  const auto part
    = total == 0
        ? 0.0
        : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled
    = static_cast<std::size_t>(part * static_cast<double>(width));
  const auto percent = std::to_string(static_cast<int>(part * 100));
  return "[" + std::string(filled, '#') + std::string(width - filled, '-')
         + "] " + std::string(3 - percent.size(), ' ') + percent + " %  "
         + printable(what.substr(0, what_bytes_max));
}

} // namespace gnomon::tools
