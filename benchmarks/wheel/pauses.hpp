// The longest single `advance`.

#pragma once

#include <cstddef>
#include <cstdint>

namespace gnomon::benchmarks {

/// Microseconds of the longest call with a budget, while `count` timers that
/// are all due within one minute, an hour ahead, expire in steps of 1 ms.
///
/// Each of `runs` does exactly the same; of each call the best time counts, so
/// that what the machine did meanwhile does not.
double longest_pause_of_herd(std::size_t count, std::uint64_t budget, int runs);

/// The same while `count` timers of one tick expire.
double longest_pause_of_tick(std::size_t count, std::uint64_t budget, int runs);

} // namespace gnomon::benchmarks
