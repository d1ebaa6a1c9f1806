// How long a failed job waits.

#pragma once

#include "gnomon/v1/job.pb.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gnomon::jobs {

/// Returns what is wrong with `policy`, if anything is.
/// @param delay_ms_max  Longest wait that a partition allows.
std::optional<std::string> back_off_fault(const v1::BackOff& policy,
                                          std::int64_t delay_ms_max);

/// Returns how long to wait after failure number `failures` (from 1), in ms.
/// The same for the same arguments, on every machine: integers only, and the
/// jitter comes from `seed` and `failures`. Its result is recorded in the
/// event, so a later version may count otherwise.
/// @returns 0 to `delay_ms_max`, and not above the maximum of the policy.
/// @pre `back_off_fault` finds nothing; `failures >= 1`.
std::int64_t delay_ms_after(const v1::BackOff& policy, std::uint32_t failures,
                            std::uint64_t seed, std::int64_t delay_ms_max);

} // namespace gnomon::jobs
