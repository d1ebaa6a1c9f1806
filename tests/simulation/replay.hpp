// Compares the state of a partition with what its log says.

#pragma once

#include "gnomon/partition_options.hpp"
#include "gnomon/state.hpp"
#include "tests/simulation/log_model.hpp"

#include <string>

namespace gnomon::simulation {

/// Replays the whole log from its beginning into an empty state.
/// @returns How `live` differs from it; empty if it does not.
std::string difference_from_replay(const log_model& log,
                                   const state_reader& live,
                                   const partition_options& options);

/// Compares what queries tell about timers and jobs with the model.
std::string difference_from_model(const log_model& log,
                                  const state_reader& live);

} // namespace gnomon::simulation
