#include "timers/yield_budget.hpp"

namespace gnomon::timers {

yield_budget::yield_budget(const clock& source, yield_limits limits)
  : source_(source), limits_(limits), begin_(source.monotonic()) {
  // nop
}

bool yield_budget::spend() {
  ++count_;
  return !spent();
}

bool yield_budget::spent() const {
  return count_ >= limits_.count_max
         || source_.monotonic() - begin_ >= limits_.time_max;
}

void yield_budget::restart() {
  begin_ = source_.monotonic();
  count_ = 0;
}

} // namespace gnomon::timers
